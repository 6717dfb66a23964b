import type { ProcessRow } from './processTable';

/** A process started by this client, with its own process group, session and mark. */
export interface FamilyRoot {
  readonly pid: number;
  /** `undefined` if unknown. */
  readonly start: number | undefined;
}

/**
 * Services that are started by the first program in need of them and then shared by all of the
 * user's programs; ending them would lose the keys that they hold. A hostile program that takes
 * such a name could just as well drop its mark.
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
 * The processes started by a process, including itself: found by group, session and parents, and by
 * the mark in their environment if they have left all three.
 *
 * A mark alone proves little: a command that asks a running program to open a window, such as `code
 * .`, passes its environment on to that program. So a mark only counts for orphans, whose parent is
 * one of the processes that adopt orphans: `self` and its ancestors; and never in `self`'s own
 * session, which no process can join.
 */
export function getFamily(
  root: FamilyRoot,
  rows: readonly ProcessRow[],
  self: number,
  hasMark: (pid: number) => boolean,
): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const above = getLine(self, byPid);
  const start = root.start ?? 0;
  // The pid may have been reused.
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

/** A process and all its ancestors, including pid 1. */
function getLine(pid: number, byPid: ReadonlyMap<number, ProcessRow>): ReadonlySet<number> {
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
  // Iterating over a set includes elements that are added meanwhile.
  for (const { pid } of family) {
    for (const child of children.get(pid) ?? []) {
      family.add(child);
    }
  }
  return [...family];
}
