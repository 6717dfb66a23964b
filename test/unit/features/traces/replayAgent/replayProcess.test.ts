import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { AcpError } from '../../../../../src/protocol/errors';
import { temporaryFile } from '../../../../support/temporary';
import { until } from '../../../../support/until';
import { folder } from '../../../model/fakes';
import { connect, rejectsWith } from '../../../protocol/peer';
import { TraceText } from '../../../protocol/trace/traceBench';
import { here, ReplayBench } from './replayBench';

describe('replaying a trace', () => {
  const { fileWith, start } = ReplayBench.ofSuite();

  it('LOAD-12, SDK-15: a long load can be paused, canceled and closed', async () => {
    const text = new TraceText();
    for (let count = 0; count < 4_000; count++) {
      text.says('s', `${count}`);
    }
    const transport = start(fileWith(text.text), folder.path);
    const { connection, updates } = await connect(transport);
    const pausing = connection.onUpdate(() => transport.pause());
    const canceled = new AbortController();
    const load = connection.loadSession({ sessionId: 's', ...here }, canceled.signal);
    const refused = rejectsWith(load, 'cancelled');
    await until(() => updates.length > 0);
    const paused = updates.length;
    canceled.abort();
    await refused;
    pausing.dispose();
    transport.resume();
    await connection.whenLoadsEnded('s');
    assert.ok(paused < 4_000 && updates.length < 4_000, `${paused} ${updates.length}`);
    const again = connection.loadSession({ sessionId: 's', ...here });
    const gone = rejectsWith(again, 'cancelled');
    await connection.close();
    await gone;
    await assert.rejects(transport.write('{}\n'));
  });

  it('says so when the file was cut after it was opened', async () => {
    const text = new TraceText().says('s', 'one').says('s', 'two').text;
    const file = fileWith(text);
    const { connection } = await connect(start(file, folder.path));
    truncateSync(file, text.length - 20);
    await assert.rejects(connection.loadSession({ sessionId: 's', ...here }), /has changed/);
    await connection.close();
  });

  it('says why it ends when the file can’t be replayed any more', async () => {
    for (const [file, reason] of [
      [fileWith('# Notes'), /^trace-\d+\.ndjson can’t be replayed\. It isn’t a trace/],
      [temporaryFile('gone.ndjson'), /^gone\.ndjson can’t be replayed\. It doesn’t exist\./],
    ] as const) {
      await assert.rejects(connect(start(file, folder.path)), (error) => {
        assert.ok(error instanceof AcpError && error.code === 'exited', String(error));
        assert.match(error.facts.stderr?.join('\n') ?? '', reason);
        return true;
      });
    }
  });
});
