import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FolderOfBlobs } from '../../src/features/review/model/checkpoints/folderOfBlobs';
import { GitCheckpoints } from '../../src/features/review/model/checkpoints/gitCheckpoints';
import { Recorder } from '../../src/features/review/model/recording/recorder';
import { StoredReviews } from '../../src/features/review/model/storedReviews';
import { DiskFiles } from '../support/diskFiles';
import { silentLog } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

export const files = 20_000;
export const inFolder = 100;
const changedFiles = 200;
const rounds = 15;
const run = promisify(execFile);

/** Checkpoints of a large work tree, compared with git itself, both warm. */
export async function checkpointRows(): Promise<readonly TableRow[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  const repository = path.join(folder, 'repository');
  const small = path.join(folder, 'small');
  const checkpoints = new GitCheckpoints({
    storage: path.join(folder, 'storage'),
    git: () => Promise.resolve('git'),
    hindrance: () => undefined,
    realPath: (file) => Promise.resolve(file),
    log: silentLog,
  });
  const take = async (of = repository): Promise<void> => {
    const taken = await checkpoints.take([of]);
    if (typeof taken === 'string') {
      throw new Error(`No checkpoint: ${taken}`);
    }
  };
  try {
    await makeRepository(repository, files / inFolder);
    await makeRepository(small, 1);
    await settle();
    await take();
    await take();
    await take(small);
    const prompts = new Prompts(folder, checkpoints);
    try {
      return [
        await unchangedRow(repository, () => take()),
        await changedRow(folder, repository, () => take()),
        await quickRow(prompts, small, () => take(small)),
        await heldRow(prompts, repository),
      ];
    } finally {
      prompts.dispose();
    }
  } finally {
    await checkpoints.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function unchangedRow(repository: string, take: () => Promise<void>): Promise<TableRow> {
  const status = (): Promise<number> =>
    timed(() => run('git', ['status', '--porcelain'], { cwd: repository }));
  await status();
  const { a, b } = await interleaved(rounds, status, () => timed(take));
  return rowOf(
    `checkpoint of ${files.toLocaleString('en')} files`,
    'git status',
    median(b),
    median(a),
  );
}

/** Each round changes the same files once more, for both sides. */
async function changedRow(
  folder: string,
  repository: string,
  take: () => Promise<void>,
): Promise<TableRow> {
  const env = {
    ...process.env,
    GIT_INDEX_FILE: path.join(folder, 'index'),
    GIT_OBJECT_DIRECTORY: path.join(folder, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(repository, '.git', 'objects'),
  };
  await mkdir(env.GIT_OBJECT_DIRECTORY);
  const bare = async (): Promise<void> => {
    await run('git', ['add', '-A'], { cwd: repository, env });
    await run('git', ['write-tree'], { cwd: repository, env });
  };
  await bare();
  let round = 0;
  const afterChange = (work: () => Promise<void>) => async (): Promise<number> => {
    await change(repository, ++round);
    return timed(work);
  };
  const { a, b } = await interleaved(rounds, afterChange(bare), afterChange(take));
  return rowOf(
    `… with ${changedFiles} changed files`,
    'git add and write-tree',
    median(b),
    median(a),
  );
}

/** How long recording holds prompts. */
class Prompts {
  readonly #reviews: StoredReviews;
  readonly #recorder: Recorder;

  constructor(folder: string, checkpoints: GitCheckpoints) {
    const files = new DiskFiles();
    this.#reviews = new StoredReviews({
      ...{ folder: path.join(folder, 'records'), files, log: silentLog },
      blobs: (session) => new FolderOfBlobs(path.join(session, 'blobs')),
      places: () => Promise.resolve([]),
    });
    this.#recorder = new Recorder({
      ...{ reviews: this.#reviews, checkpoints, files, log: silentLog },
      realPath: (file) => Promise.resolve(file),
    });
  }

  /** Milliseconds until a prompt may be sent; returns when its turn has ended and is recorded. */
  async held(repository: string): Promise<number> {
    const session = { agentId: 'bench', sessionId: 'bench', folders: [repository] };
    const turn = this.#recorder.of(session);
    const milliseconds = await timed(() => turn.begin('Do it'));
    turn.end();
    const review = await this.#reviews.open(repository, session.agentId, session.sessionId);
    while (review.running !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return milliseconds;
  }

  dispose(): void {
    this.#recorder.dispose();
    this.#reviews.dispose();
  }
}

async function quickRow(
  prompts: Prompts,
  small: string,
  take: () => Promise<void>,
): Promise<TableRow> {
  await prompts.held(small);
  const { a, b } = await interleaved(
    rounds,
    () => timed(take),
    () => prompts.held(small),
  );
  const [checkpoint, held] = [median(a), median(b)];
  return {
    what: `prompt held by recording, ${inFolder} files`,
    limit: '< 10 ms beyond the checkpoint',
    measured: `${(held - checkpoint).toFixed(1)} ms (${held.toFixed(1)} ms, the checkpoint ${checkpoint.toFixed(1)} ms)`,
    met: held - checkpoint < 10,
  };
}

async function heldRow(prompts: Prompts, repository: string): Promise<TableRow> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await prompts.held(repository));
  }
  const held = Math.max(...times);
  return {
    what: `… ${files.toLocaleString('en')} files, the longest of ${rounds}`,
    limit: '≤ 100 ms',
    measured: `${held.toFixed(1)} ms (median ${median(times).toFixed(1)} ms)`,
    met: held <= 100,
  };
}

function rowOf(what: string, floorName: string, measured: number, floor: number): TableRow {
  return {
    what,
    limit: `≤ 1.3 × ${floorName}`,
    measured: `${(measured / floor).toFixed(2)} × (${Math.round(measured)} ms, ${floorName} ${Math.round(floor)} ms)`,
    met: measured <= 1.3 * floor,
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export async function makeRepository(repository: string, folders: number): Promise<void> {
  for (let folder = 0; folder < folders; folder++) {
    const at = path.join(repository, 'src', `part${folder}`);
    await mkdir(at, { recursive: true });
    for (let file = 0; file < inFolder; file++) {
      await writeFile(path.join(at, `file${file}.ts`), contentOf(folder, file, 0));
    }
  }
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const git = (...args: string[]) => run('git', [...author, ...args], { cwd: repository });
  await git('init', '-q');
  await git('add', '-A');
  await git('commit', '-qm', 'First');
}

/** A file that is as new as the index is read each time, by git as well. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}

async function change(repository: string, round: number): Promise<void> {
  for (let index = 0; index < changedFiles; index++) {
    const file = path.join(repository, 'src', `part${index}`, 'file7.ts');
    await writeFile(file, contentOf(index, 7, round));
  }
}

function contentOf(folder: number, file: number, round: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `export const value${line} = ${folder * 1000 + file} + ${line * round};`,
  );
  return `${lines.join('\n')}\n`;
}
