import { textContent } from '../../turns/turn';
import { paint } from '../sampleTranscript';
import type { SampleSession } from '../shortSession';
import { chart } from './chart';

const log = [
  `${paint('grey', '02:00:01')} ${paint('green', 'INFO ')} backup of database fernway`,
  `${paint('grey', '02:00:04')} ${paint('green', 'INFO ')} dump: 1.2 GB`,
  `${paint('grey', '02:14:55')} ${paint('yellow', 'WARN ')} upload is slow: 1.3 MB/s`,
  `${paint('grey', '02:30:00')} ${paint('red', 'ERROR')} time limit of 30 minutes reached, giving up`,
  '',
].join('\r\n');

/** An investigation: a tool call of nearly every kind, some of which fail. */
export const nightlyBackup: SampleSession = {
  title: 'Why did the nightly backup fail?',
  write: (transcript) => {
    transcript
      .user('The backup failed last night and nobody noticed until now. What happened?')
      .run('ssh backup tail -n 4 /var/log/backup.log', log)
      .tool({
        title: 'Fetch https://status.example.com/api/incidents',
        kind: 'fetch',
        name: 'web_fetch',
        failed: true,
        content: [textContent('The server did not answer within 10 seconds.')],
      })
      .think('Slow upload, not a broken one. Was the dump larger than usual, or the line slower?')
      .run(
        "psql -c 'select pg_size_pretty(pg_database_size(current_database()))'",
        ' pg_size_pretty \r\n----------------\r\n 9.8 GB\r\n(1 row)\r\n',
      )
      .search('timeout', { path: 'ops/backup.sh', line: 7 })
      .read('ops/backup.sh', 'timeout 30m rclone copy "$dump" "$target"', 7)
      .say(
        'The dump was as large as ever, but the line was slow, and `ops/backup.sh` gives up after half ' +
          'an hour. Two changes would have saved the night: more time, and a message when it fails.',
      )
      .tool({
        title: 'Switch to the mode "Act"',
        kind: 'switch_mode',
        name: 'switch_mode',
        output: { mode: 'act' },
      })
      .edit(
        'ops/backup.sh',
        'timeout 30m rclone copy "$dump" "$target"',
        'if ! timeout 3h rclone copy "$dump" "$target"; then\n  notify "Backup failed: $(date)"\n  exit 1\nfi',
        7,
      )
      .run(
        'ssh backup sudo systemctl start backup',
        paint('red', 'sudo: a password is required\r\n'),
        1,
      )
      .tool({
        title: 'Move the dump to the other disk',
        kind: 'move',
        name: 'move_file',
        files: [{ path: 'dumps/latest' }],
      })
      .show({ type: 'image', mimeType: 'image/png', data: chart })
      .show({ type: 'resource_link', uri: 'https://example.com/rclone', name: 'rclone' })
      .show({
        type: 'resource',
        resource: { uri: 'demo:///sizes.csv', mimeType: 'text/csv', text: 'day,GB\nMonday,9.8\n' },
      })
      .tool({ title: 'Ask the pager who is on duty', kind: 'other', output: { onDuty: 'Jonas' } })
      .say(
        'I can not start the backup myself: the server wants a password, and I would rather not have ' +
          'it. **Jonas is on duty** and can run this:\n\n```bash\nsudo systemctl start backup\n```',
      )
      .usage(15_200);
  },
};
