import path from 'node:path';
import process from 'node:process';
import { SessionRecord } from '../../../../../src/features/review/model/record/sessionRecord';
import { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import { DiskFiles } from '../../../../support/diskFiles';
import { FolderBlobs } from '../../../../support/folderBlobs';

/**
 * Undoes everything in a process of its own, and tells each file before it is changed. `end`: the
 * process is killed before it changes the file with this number, or else before it records the end.
 */
async function undoAll(folder: string, end: number): Promise<void> {
  const files = new DiskFiles();
  let seen = 0;
  files.onReplace = (file) => {
    process.stdout.write(`${path.basename(file)}\n`);
    seen += 1;
    if (seen === end) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  const blobs = new FolderBlobs(path.join(folder, 'blobs'));
  const record = new SessionRecord({ folder, agentId: 'a', sessionId: 's', blobs, files });
  await record.catchUp();
  const append = record.append.bind(record);
  record.append = (lines, isStillRight) => {
    if (Number.isFinite(end) && lines.some(({ type }) => type === 'done')) {
      process.kill(process.pid, 'SIGKILL');
    }
    return append(lines, isStillRight);
  };
  process.stdout.write('ready\n');
  await new RecordedReview(record, files).undo({ type: 'all' });
}

void undoAll(process.argv[2] ?? '', Number(process.argv[3] ?? Infinity));
