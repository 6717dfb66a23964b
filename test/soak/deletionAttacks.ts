import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deleteExactFile } from '../../src/model/files/exactFile';
import type { Check } from './check';

/** What someone does to a file, or to the folder that it is in, while it is deleted. */
const disturbances = ['nothing', 'link to a folder', 'link to a file', 'another text'] as const;

/** Attacks on what may be deleted for good. */
export const deletionAttacks: readonly Check[] = [
  {
    name: 'files that are deleted while they and their folders change',
    run: async ({ size, random }) => {
      const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-soak-')));
      const outside = path.join(base, 'outside');
      const folder = path.join(base, 'folder');
      const file = path.join(folder, 'a.txt');
      const seen = { deleted: 0, left: 0 };
      try {
        mkdirSync(outside);
        writeFileSync(path.join(outside, 'a.txt'), 'agent');
        for (let turn = 0; turn < size(5_000, 100); turn++) {
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder);
          writeFileSync(file, 'agent');
          const what = random.pick(disturbances);
          const deleting = deleteExactFile(file, Buffer.from('agent')).catch(() => false);
          for (let wait = random.below(6); wait > 0; wait--) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          disturb(what, { base, folder, file, outside });
          const isDeleted = await deleting;
          seen[isDeleted ? 'deleted' : 'left'] += 1;
          assert.deepEqual(readdirSync(outside), ['a.txt'], what);
          assert.equal(readFileSync(path.join(outside, 'a.txt'), 'utf8'), 'agent');
        }
        return `${seen.deleted} deleted, ${seen.left} left alone`;
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    },
  },
];

interface Places {
  readonly base: string;
  readonly folder: string;
  readonly file: string;
  readonly outside: string;
}

function disturb(
  what: (typeof disturbances)[number],
  { base, folder, file, outside }: Places,
): void {
  switch (what) {
    case 'nothing':
      return;
    case 'another text':
      writeFileSync(file, 'the user’s');
      return;
    case 'link to a file':
      rmSync(file, { force: true });
      symlinkSync(path.join(outside, 'a.txt'), file);
      return;
    case 'link to a folder': {
      const away = path.join(base, 'away');
      rmSync(away, { recursive: true, force: true });
      renameSync(folder, away);
      symlinkSync(outside, folder);
    }
  }
}
