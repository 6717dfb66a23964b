import { existsSync, readFileSync } from 'node:fs';
import { type SearchIndex, SearchIndexError } from '../../src/features/search/model/searchIndex';
import {
  bytesOfAllKinds,
  damages,
  flip,
  harmlessDamages,
} from '../unit/features/search/index/damages';
import { Indexes, part } from '../unit/features/search/index/indexes';
import { checkWhole, Writer } from '../unit/features/search/index/writers';

export interface IndexFaultsOptions {
  /** How many rounds of writing, sleeping and killing processes, each followed by damage to the file. */
  readonly rounds: number;
  /** The seed, which gives the same faults each time; their timing differs. */
  readonly seed: number;
}

export interface IndexFaults {
  /** Sessions that were stored and found again. */
  readonly kept: number;
  readonly killed: number;
  readonly slept: number;
  readonly damaged: number;
}

const writersInRound = 3;
const sessionsOfWriter = 8;

/**
 * Lets real processes write to one index while some of them sleep holding the lock and some are killed holding it, and
 * damages the file afterward. Rejects when a session is lost although its write was confirmed, when the rest is
 * damaged, or when the index doesn't recover from damage.
 */
export async function runIndexFaults({ rounds, seed }: IndexFaultsOptions): Promise<IndexFaults> {
  const random = randomFrom(seed);
  const indexes = await Indexes.create();
  const sum = { kept: 0, killed: 0, slept: 0, damaged: 0 };
  try {
    for (let round = 0; round < rounds; round++) {
      const { killed, slept, put } = await writeRound(indexes, round, random);
      await expectAll(indexes, put);
      sum.kept += put.length;
      sum.killed += killed;
      sum.slept += slept;
      damage(indexes.file, random);
      sum.damaged++;
      await expectToWork(indexes, round);
    }
    return sum;
  } finally {
    await indexes.dispose();
  }
}

async function writeRound(indexes: Indexes, round: number, random: () => number) {
  const prefixes = Array.from({ length: writersInRound }, (_, at) => `r${round}w${at}-`);
  const writers = prefixes.map((prefix) => new Writer(indexes.folder, prefix, sessionsOfWriter));
  let killed = 0;
  let slept = 0;
  try {
    for (const writer of writers) {
      const fate = random();
      const holds = fate < 0.8 && (await writer.stopWhileItHolds(indexes.lock));
      if (holds && fate < 0.4) {
        killed++;
        await writer.kill();
      } else if (holds) {
        slept++;
        writer.go();
      }
    }
    await Promise.all(writers.map((writer) => writer.end()));
  } finally {
    await Promise.all(writers.map((writer) => writer.kill()));
  }
  const failed = writers.flatMap((writer) => writer.failed);
  if (failed.length > 0) {
    throw new Error(`Sessions could not be put: ${failed.join(', ')}`);
  }
  return { killed, slept, put: writers.flatMap((writer) => writer.put) };
}

async function expectAll(indexes: Indexes, ids: readonly string[]): Promise<void> {
  await used(indexes, async (index) => {
    await index.put(part('last', ['word1']));
    for (const id of ids) {
      if ((await index.version('a', id)) === undefined) {
        throw new Error(`The session ${id} is lost`);
      }
    }
  });
  if (indexes.logged.length > 0) {
    throw new Error(`The index complains: ${indexes.logged.join(', ')}`);
  }
  checkWhole(indexes.file);
}

async function expectToWork(indexes: Indexes, round: number): Promise<void> {
  await used(indexes, async (index) => {
    await index.search('word1').catch((error: unknown) => clearIfNewer(index, error));
    await index.put(part('after', [`thread${round}`]));
    const found = await index.search(`thread${round}`);
    if (found.length !== 1) {
      throw new Error(`After damage ${found.length} places are found where 1 is`);
    }
    await index.clear();
  });
  indexes.logged.length = 0;
}

/** A damaged version number can look like that of a newer version, whose index is only cleared if the user says so. */
async function clearIfNewer(index: SearchIndex, error: unknown): Promise<void> {
  if (!(error instanceof SearchIndexError && error.problem === 'newer')) {
    throw error;
  }
  await index.clear();
}

async function used(indexes: Indexes, work: (index: SearchIndex) => Promise<void>): Promise<void> {
  const index = indexes.open();
  try {
    await work(index);
  } finally {
    index.dispose();
    await index.ended;
  }
}

function damage(file: string, random: () => number): void {
  const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const bytes = bytesOfAllKinds(content).map((at) => flip(at, 1 << Math.floor(random() * 8)));
  const all = [...Object.values(damages), ...Object.values(harmlessDamages), ...bytes];
  all[Math.floor(random() * all.length)]?.(file);
}

/** Numbers from 0 to 1, deterministic for the seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
