import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replaceFile } from '../../src/model/files/wholeFiles';
import { Consents } from '../../src/platform/storage/consents';
import { FolderOfTexts } from '../../src/platform/storage/storedTexts';
import { allOver } from '../../src/util/async';
import { Lazy } from '../../src/util/lazy';
import { lookAtAges } from '../../src/util/seenAges';
import { withDisk } from '../support/fullDisk';
import type { Check } from './check';

/** Attacks on what is stored: windows that write at a time, disks that are full, clocks that are wrong. */
export const storeAttacks: readonly Check[] = [
  {
    name: 'four windows that write one draft',
    repeats: true,
    run: ({ random, size }) =>
      inFolder(async (folder) => {
        const name = 'a'.repeat(64);
        const windows = Array.from({ length: 4 }, () => new FolderOfTexts(folder));
        const texts = Array.from({ length: size(200, 20) }, (_, at) =>
          `${at % 10}`.repeat(random.below(50_000) + 1),
        );
        await windows[0]?.write(name, '0');
        let reads = 0;
        for (const text of texts) {
          const written = windows.map((window) => window.write(name, text));
          const read = (await windows[0]?.readAll())?.get(name) ?? '';
          await Promise.all(written);
          assert.equal(new Set(read).size, 1, 'a read is torn');
          reads += 1;
        }
        return `${texts.length * windows.length} writes, ${reads} reads`;
      }),
  },
  {
    name: 'four windows in which the user agrees at a time',
    repeats: true,
    run: ({ random, size }) =>
      inFolder(async (folder) => {
        const windows = Array.from({ length: 4 }, () => new Consents(folder));
        const rounds = size(40, 4);
        for (let round = 0; round < rounds; round++) {
          const answers = windows.flatMap((window, at) =>
            Array.from({ length: random.below(8) + 1 }, (_, index) => ({
              window,
              about: `${round} ${at} ${index}`,
            })),
          );
          await Promise.all(answers.map(({ window, about }) => window.set(about, about)));
          const kept = await Promise.all(
            answers.map(async ({ about }) => (await new Consents(folder).get(about)) === about),
          );
          assert.ok(kept.every(Boolean), 'an answer is lost');
        }
        return `${rounds} rounds`;
      }),
  },
  {
    name: 'a disk that is full at any byte',
    repeats: true,
    run: ({ random, size }) =>
      inFolder(async (folder) => {
        const file = path.join(folder, 'stored');
        let good = 'good';
        await replaceFile(file, good);
        let failed = 0;
        const rounds = size(500, 50);
        for (let round = 0; round < rounds; round++) {
          const next = `${round}`.repeat(random.below(1_000) + 1);
          const disk = { atOnce: random.below(500) + 1, room: random.below(2_000) };
          const isWritten = await withDisk(disk, () => replaceFile(file, next)).then(
            () => true,
            () => false,
          );
          good = isWritten ? next : good;
          failed += isWritten ? 0 : 1;
          assert.equal(readFileSync(file, 'utf8'), good);
        }
        return `${failed} of ${rounds} writes failed`;
      }),
  },
  {
    name: 'clocks that jump by years at each start',
    repeats: true,
    run: ({ random, size }) => {
      const [years, limit] = [365 * 86_400_000, 30];
      const starts = size(20_000, 2_000);
      let text: string | undefined;
      let [at, unchanged, oldest] = [0, 0, 0];
      for (let start = 0; start < starts; start++) {
        const now = random.below(100 * years);
        if (random.chance(0.1)) {
          [at, unchanged] = [now, 0];
        }
        const seen = lookAtAges(text, [{ name: 'draft', at, size: 1 }], now);
        ({ text } = seen);
        const age = seen.days.get('draft') ?? 0;
        assert.ok(age <= unchanged, `${age} days after ${unchanged} starts`);
        assert.ok(age < limit || unchanged >= limit);
        oldest = Math.max(oldest, age);
        unchanged += 1;
      }
      return Promise.resolve(`${starts} starts, ${oldest} days at most`);
    },
  },
  {
    name: 'parts that fail to load and to end',
    repeats: true,
    run: async ({ random, size }) => {
      let [loaded, failed, ended] = [0, 0, 0];
      const parts = Array.from({ length: size(2_000, 200) }, () => {
        let left = random.below(4);
        return new Lazy(() => {
          left -= 1;
          return left < 0 ? Promise.resolve(() => void (ended += 1)) : Promise.reject(new Error());
        });
      });
      for (const part of parts) {
        for (let tries = 0; tries < 4; tries++) {
          await part.get().then(
            () => (loaded += 1),
            () => (failed += 1),
          );
        }
      }
      const errors = await allOver(
        parts.map((part, index) => async () => {
          (await part.made)?.();
          assert.ok(index % 2 === 0);
        }),
      );
      assert.equal(ended, parts.length);
      assert.equal(errors.length, parts.length / 2);
      return `${loaded} loads, ${failed} failed`;
    },
  },
];

async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-soak-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
