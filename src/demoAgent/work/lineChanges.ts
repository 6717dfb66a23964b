/** Replaces what follows `start` on the first line that begins with it. */
export interface LineChange {
  readonly start: string;
  readonly becomes: string;
}

/** A replaced part of a file. Lines are 1-based. */
export interface Replacement {
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

const context = 3;
const revision = / \(revision (\d+)\)$/;

/**
 * The texts that change a line, as an agent's edit tool gets them; `undefined` if there is no such line. Each change
 * increments the revision in the line, so that a repeated change is a change again.
 */
export function findReplacement(
  text: string,
  { start, becomes }: LineChange,
): Replacement | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith(start));
  const oldText = lines[at];
  if (oldText === undefined) {
    return undefined;
  }
  const before = revision.exec(oldText)?.[1];
  const count = before === undefined ? 1 : Number(before) + 1;
  return { line: at + 1, oldText, newText: `${start}${becomes} (revision ${count})` };
}

export function withReplaced(text: string, { line, newText }: Replacement): string {
  return text
    .split('\n')
    .map((old, at) => (at === line - 1 ? newText : old))
    .join('\n');
}

/** The replaced line with the lines around it, as agents report an edit that they have made. */
export function withContext(text: string, { line, oldText, newText }: Replacement): Replacement {
  const lines = text.split('\n');
  const first = Math.max(0, line - 1 - context);
  const above = lines.slice(first, line - 1);
  const below = lines.slice(line, line + context);
  return {
    line: first + 1,
    oldText: [...above, oldText, ...below].join('\n'),
    newText: [...above, newText, ...below].join('\n'),
  };
}
