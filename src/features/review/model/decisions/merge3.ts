import { diff3MergeRegions } from 'node-diff3';
import type { Hunk } from '../review';
import { hunksBetween, withLineEnds } from './lines';

export interface Merged {
  readonly lines: readonly string[];
  /** Places where both sides changed the same lines differently. */
  readonly conflicts: number;
}

/** A place where both sides changed the same lines. */
export interface Conflict {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** What stays where both sides changed the same lines. */
export type Preferred = 'ours' | 'theirs' | ((conflict: Conflict) => readonly string[]);

/** Comparing takes at most about as many steps as the product of the numbers of lines. */
const maxSteps = 10_000_000;

/** Both sides' changes of `base`; lines that end differently are different. */
export function merge3(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  preferred: Preferred,
): Merged {
  const our = hunksBetween(base, ours);
  const their = hunksBetween(base, theirs);
  if (our.length === 0 || their.length === 0) {
    return { lines: our.length === 0 ? theirs : ours, conflicts: 0 };
  }
  const small = shortened(base, ours, theirs, [our, their]);
  const [b, o, t] = [small.base.length, small.ours.length, small.theirs.length];
  if (b * Math.max(o, t) > maxSteps) {
    return { lines: chosen({ base, ours, theirs }, preferred), conflicts: 1 };
  }
  let conflicts = 0;
  const merged: string[] = [];
  for (const region of diff3MergeRegions([...small.ours], [...small.base], [...small.theirs])) {
    if (region.stable) {
      pushAll(merged, region.bufferContent);
      continue;
    }
    const { aContent, oContent, bContent } = region;
    if (isSame(aContent, bContent)) {
      pushAll(merged, aContent);
    } else {
      conflicts++;
      pushAll(merged, chosen({ base: oContent, ours: aContent, theirs: bContent }, preferred));
    }
  }
  const lines = merged.flatMap((line) => small.runs.get(line) ?? [line]);
  return { lines: withLineEnds(lines, theirs), conflicts };
}

function chosen(conflict: Conflict, preferred: Preferred): readonly string[] {
  return typeof preferred === 'function' ? preferred(conflict) : conflict[preferred];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

interface Shortened {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  readonly runs: ReadonlyMap<string, readonly string[]>;
}

/**
 * Replaces each run of lines that neither side changed by one line that occurs nowhere else. The
 * library's comparison takes quadratic time, and most lines of a file aren't changed.
 */
function shortened(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  [our, their]: readonly [readonly Hunk[], readonly Hunk[]],
): Shortened {
  const runs = new Map<string, readonly string[]>();
  const small = { base: [] as string[], ours: [] as string[], theirs: [] as string[] };
  const all = [...our, ...their].map(({ before }) => before).sort((a, b) => a.start - b.start);
  let from = 1;
  const shifts = { ours: new Shift(our), theirs: new Shift(their) };
  const past = { ours: 0, theirs: 0 };
  const addRun = (to: number): void => {
    const places = { ours: shifts.ours.at(from), theirs: shifts.theirs.at(from) };
    pushAll(small.ours, ours.slice(past.ours, places.ours));
    pushAll(small.theirs, theirs.slice(past.theirs, places.theirs));
    const count = to - from;
    if (count > 0) {
      // No line of a file equals this, because none has two line ends.
      const mark = `\n\n${runs.size}`;
      runs.set(mark, base.slice(from - 1, to - 1));
      small.base.push(mark);
      small.ours.push(mark);
      small.theirs.push(mark);
    }
    past.ours = places.ours + count;
    past.theirs = places.theirs + count;
    from = to;
  };
  for (const { start, end } of all) {
    if (start > from) {
      addRun(start);
    }
    pushAll(small.base, base.slice(from - 1, Math.max(from, end) - 1));
    from = Math.max(from, end);
  }
  addRun(base.length + 1);
  pushAll(small.ours, ours.slice(past.ours));
  pushAll(small.theirs, theirs.slice(past.theirs));
  return { ...small, runs };
}

/** Unlike `push` with one argument for each line, this has no limit. */
function pushAll(to: string[], lines: readonly string[]): void {
  for (const line of lines) {
    to.push(line);
  }
}

/** Finds the 0-based place in the other text of a line that both have; only ever further on. */
class Shift {
  readonly #hunks: readonly Hunk[];
  #next = 0;
  #shift = -1;

  constructor(hunks: readonly Hunk[]) {
    this.#hunks = hunks;
  }

  at(line: number): number {
    for (
      let hunk = this.#hunks[this.#next];
      hunk !== undefined && hunk.before.end <= line;
      hunk = this.#hunks[this.#next]
    ) {
      this.#shift = hunk.now.end - hunk.before.end - 1;
      this.#next++;
    }
    return line + this.#shift;
  }
}
