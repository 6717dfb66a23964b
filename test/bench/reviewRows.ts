import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Blobs, FileState } from '../../src/features/review/model/record/fileState';
import { SessionRecord } from '../../src/features/review/model/record/sessionRecord';
import { RecordedReview } from '../../src/features/review/model/recordedReview';
import type { ReviewFiles } from '../../src/features/review/model/reviewFiles';
import { sessionOf } from './agent';
import { drainIntoModel } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const fileCount = 500;
const editsOfEach = 10;

/** The record of a session with many edits, loaded, beside the session itself. */
export async function reviewRow(): Promise<TableRow> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  try {
    const blobs = inMemory();
    await makeEdits(folder, blobs);
    const session = sessionOf(100_000);
    const load = () => loaded(folder, blobs);
    const runs = await interleaved(5, () => drainIntoModel(session), load);
    const [model, record] = [median(runs.a), median(runs.b)];
    return {
      what: 'the record of 5,000 edits in 500 files, beside agent to model, 100,000 updates',
      limit: '< 5 % more',
      measured: `${((record / model) * 100).toFixed(1)} % (${record.toFixed(1)} ms)`,
      met: record < 0.05 * model,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function loaded(folder: string, blobs: Blobs): Promise<number> {
  const started = performance.now();
  const record = recordIn(folder, blobs);
  await record.catchUp();
  const review = new RecordedReview(record, noFiles);
  if (review.pending.length !== fileCount || review.turns.length !== editsOfEach) {
    throw new Error('The record is incomplete');
  }
  const milliseconds = performance.now() - started;
  review.dispose();
  return milliseconds;
}

function recordIn(folder: string, blobs: Blobs): SessionRecord {
  return new SessionRecord({ folder, agentId: 'a', sessionId: 's', blobs, files: noFiles });
}

async function makeEdits(folder: string, blobs: Blobs): Promise<void> {
  const record = recordIn(folder, blobs);
  const state = async (file: number, edit: number): Promise<FileState> => {
    const bytes = Buffer.from(`file ${file}\nedit ${edit}\n`);
    return { kind: 'file', hash: await blobs.add(bytes), size: bytes.length };
  };
  for (let turn = 1; turn <= editsOfEach; turn++) {
    await record.addTurn({ turn, prompt: 'Do it', began: turn });
    for (let file = 0; file < fileCount; file++) {
      const [before, after] = [await state(file, turn - 1), await state(file, turn)];
      const change = { file: path.join(folder, 'src', `file${file}.ts`), before, after };
      await record.addSteps({ by: 'agent', source: 'write', turn }, [change]);
    }
  }
  record.dispose();
}

function inMemory(): Blobs {
  const all = new Map<string, Uint8Array>();
  return {
    add: (bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      all.set(hash, bytes);
      return Promise.resolve(hash);
    },
    read: (hash) => Promise.resolve(all.get(hash)),
  };
}

const noFiles: ReviewFiles = {
  look: () => Promise.resolve({ kind: 'absent' }),
  replace: () => Promise.resolve([]),
  howToDelete: () => Promise.resolve('toTrash'),
  decode: (_file, bytes) => Promise.resolve(Buffer.from(bytes).toString()),
  encode: (_file, text) => Promise.resolve(Buffer.from(text)),
};
