import type { Repository } from '../../../model/places/repository';
import type { ComparedLines } from '../../../shared/comparison/comparison';
import { mapAtOnce } from '../../../util/async';
import { getBase } from './base';
import { inWorktree, readChanges } from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** New files whose lines are counted; those of others count as none. */
const maxCounted = 500;
const readAtOnce = 4;
/** Git's marks of the number of lines of a file that isn't text. */
const notText = '-';

/** The files of a worktree that differ from its base, with their lines. Rejects with `WorktreeTrouble`. */
export async function readChangedLines(
  git: WorktreeGit,
  place: Repository,
): Promise<ReadonlyMap<string, ComparedLines>> {
  const base = await getBase(git, place);
  const { changes } = await readChanges(git, place, base);
  const options = ['--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  // A submodule's own configuration may have filters.
  const all = [...options, '--ignore-submodules=dirty', base, '--'];
  const counted = readNumbers(
    await git
      .in(place.top)
      .withoutHooks()
      .text('diff', ...all),
  );
  const fresh = changes.filter(({ name }) => !counted.has(name)).slice(0, maxCounted);
  const lines = await mapAtOnce(fresh, readAtOnce, ({ name }) => countLines(place, name));
  const own = new Map(fresh.map(({ name }, index) => [name, lines[index] ?? 0]));
  return new Map(
    changes.map(({ name }) => [
      name,
      counted.get(name) ?? { added: own.get(name) ?? 0, removed: 0 },
    ]),
  );
}

function readNumbers(output: string): ReadonlyMap<string, ComparedLines> {
  const numbers = new Map<string, ComparedLines>();
  for (const part of output.split('\0')) {
    const [added, removed, name] = part.split('\t');
    if (added !== undefined && removed !== undefined && name !== undefined) {
      numbers.set(name, { added: toNumber(added), removed: toNumber(removed) });
    }
  }
  return numbers;
}

function toNumber(count: string): number {
  return count === notText ? 0 : Number(count);
}

async function countLines(place: Repository, name: string): Promise<number> {
  const side = await inWorktree(place, name);
  if (side.kind !== 'file' || side.bytes.includes(0)) {
    return 0;
  }
  const ends = side.bytes.reduce((count, byte) => count + Number(byte === 10), 0);
  return ends + Number(side.bytes.length > 0 && side.bytes.at(-1) !== 10);
}
