import type { Diff } from '../shared/content';

/**
 * The text of a file before these changes, which are in the order in which they were made; `null`: there was no file.
 * Agents report a change as the whole file or as a fragment of it, and don't say which: each change is looked for in
 * what the ones after it have left. `undefined`: one of them can't be placed without doubt.
 */
export function textBefore(now: string, changes: readonly Diff[]): string | null | undefined {
  const lineEnd = now.includes('\r\n') ? '\r\n' : '\n';
  let text: string | null = now;
  for (const change of [...changes].reverse()) {
    const before: string | null | undefined =
      text === null ? undefined : undo(text, change, lineEnd);
    if (before === undefined) {
      return undefined;
    }
    text = before;
  }
  return text;
}

function undo(text: string, change: Diff, lineEnd: string): string | null | undefined {
  const newText = withLineEnd(change.newText, lineEnd);
  if (newText === text) {
    return change.oldText === null ? null : withLineEnd(change.oldText, lineEnd);
  }
  if (change.oldText === null || change.oldText === '') {
    // What was new isn't all of the file any more: somebody has changed it since.
    return undefined;
  }
  const oldText = withLineEnd(change.oldText, lineEnd);
  if (oldText === newText) {
    return text;
  }
  const at = newText === '' ? -1 : text.indexOf(newText);
  const isUnique = at !== -1 && text.indexOf(newText, at + 1) === -1;
  return isUnique ? text.slice(0, at) + oldText + text.slice(at + newText.length) : undefined;
}

/** Whether the file has what a change made of it, as the whole or somewhere in it. */
export function holds(text: string, { newText }: Diff): boolean {
  return text.replaceAll('\r\n', '\n').includes(newText.replaceAll('\r\n', '\n'));
}

function withLineEnd(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\n/g, lineEnd);
}
