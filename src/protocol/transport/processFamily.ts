import type { ProcessRow } from './processTable';

/** A process that we have started, with its own process group, session and mark. */
export interface FamilyRoot {
  readonly pid: number;
  /** `undefined` where it isn't known. */
  readonly start: number | undefined;
}

/**
 * Services that the first program in need of them starts and that all programs of a person share from then
 * on: keys that they hold would be lost. What is hostile and takes such a name could as well drop its mark.
 */
const shared = new Set([
  'dbus-daemon',
  'dirmngr',
  'gnome-keyring-d',
  'gpg-agent',
  'keyboxd',
  'scdaemon',
  'ssh-agent',
]);

/**
 * What of these processes a process has started, itself among them: by group, session and parents, and of
 * those that have left all three those that still have its mark in their environment.
 *
 * A mark alone proves little: who asks a program that runs already to open a window, as with `code .`, hands
 * it the environment. So it counts only of a process that has lost its parent, hence is the child of one
 * that takes in orphans, which are `self` and those above it; and never in `self`'s own session, which
 * nobody can join.
 */
export function familyOf(
  root: FamilyRoot,
  rows: readonly ProcessRow[],
  self: number,
  hasMark: (pid: number) => boolean,
): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const above = lineOf(self, byPid);
  const start = root.start ?? 0;
  // Another process may have got the number since.
  const isOurs = root.start === undefined || (byPid.get(root.pid)?.start ?? start) === start;
  const isOwn = ({ pid, group, session }: ProcessRow): boolean =>
    isOurs && [pid, group, session].includes(root.pid);
  const isMarked = (row: ProcessRow): boolean =>
    above.has(row.parent) &&
    row.session !== byPid.get(self)?.session &&
    !shared.has(row.name) &&
    hasMark(row.pid);
  const mayBeOwn = rows.filter((row) => row.start >= start && !above.has(row.pid));
  const seeds = mayBeOwn.filter((row) => isOwn(row) || isMarked(row));
  return withDescendants(seeds, mayBeOwn);
}

/** A process and all above it, the first of the system too. */
function lineOf(pid: number, byPid: ReadonlyMap<number, ProcessRow>): ReadonlySet<number> {
  const line = new Set([1]);
  for (let row = byPid.get(pid); row && !line.has(row.pid); row = byPid.get(row.parent)) {
    line.add(row.pid);
  }
  return line.add(pid);
}

function withDescendants(
  seeds: readonly ProcessRow[],
  rows: readonly ProcessRow[],
): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) {
      children.set(row.parent, [row]);
    } else {
      siblings.push(row);
    }
  }
  const family = new Set(seeds);
  // A set hands out what is added to it on the way, too.
  for (const { pid } of family) {
    for (const child of children.get(pid) ?? []) {
      family.add(child);
    }
  }
  return [...family];
}
