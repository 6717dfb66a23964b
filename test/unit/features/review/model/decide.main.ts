import path from 'node:path';
import process from 'node:process';
import { SessionRecord } from '../../../../../src/features/review/model/record/sessionRecord';
import { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import type { Selection } from '../../../../../src/features/review/model/review';
import { DiskFiles } from '../../../../support/diskFiles';
import { FolderBlobs } from '../../../../support/folderBlobs';

/** Decides in a process of its own, as another window does. */
async function decide(folder: string, what: 'keep' | 'undo', selection: Selection): Promise<void> {
  const files = new DiskFiles();
  const blobs = new FolderBlobs(path.join(folder, 'blobs'));
  const ids = { agentId: 'agent', sessionId: 'session' };
  const record = new SessionRecord({ folder, ...ids, blobs, files });
  await record.catchUp();
  const review = new RecordedReview(record, files);
  process.send?.(await review[what](selection));
  process.disconnect();
}

const [, , folder = '', what = '', selection = ''] = process.argv;
void decide(folder, what as 'keep' | 'undo', JSON.parse(selection) as Selection);
