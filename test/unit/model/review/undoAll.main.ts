import path from 'node:path';
import process from 'node:process';
import { RecordedReview } from '../../../../src/model/review/recordedReview';
import { SessionRecord } from '../../../../src/model/review/sessionRecord';
import { DiskFiles } from '../../../support/diskFiles';
import { FolderBlobs } from '../../../support/folderBlobs';

/**
 * Undoes everything in a process of its own, and tells each file before it is changed. `end`: the
 * process is killed within a few milliseconds after that many files, as if from outside.
 */
async function undoAll(folder: string, end: number): Promise<void> {
  const files = new DiskFiles();
  let seen = 0;
  files.onReplace = (file) => {
    process.stdout.write(`${path.basename(file)}\n`);
    seen += 1;
    if (seen === end) {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 3);
    }
  };
  const blobs = new FolderBlobs(path.join(folder, 'blobs'));
  const record = new SessionRecord({ folder, agentId: 'a', sessionId: 's', blobs, files });
  await record.catchUp();
  process.stdout.write('ready\n');
  await new RecordedReview(record, files).undo({ type: 'all' });
}

void undoAll(process.argv[2] ?? '', Number(process.argv[3] ?? Infinity));
