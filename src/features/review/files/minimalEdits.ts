import { diffArrays } from 'diff';
import * as vscode from 'vscode';

/** A part of a text that is replaced, by offsets. */
interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Number of differing lines beyond which everything between the first and the last of them is replaced. */
const maxEdits = 1_000;

/** The edits of whole lines that give a document this text, so that the cursor stays where it is. */
export function minimalTextEdits(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  return minimalEdits(document.getText(), text).map(({ start, end, text: replacement }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return new vscode.TextEdit(range, replacement);
  });
}

function minimalEdits(before: string, after: string): readonly Replaced[] {
  const old = getLines(before);
  const changes = diffArrays(old, getLines(after), { maxEditLength: maxEdits });
  return changes === undefined ? betweenEnds(before, after) : replacedIn(changes);
}

interface Change {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

function replacedIn(changes: readonly Change[]): readonly Replaced[] {
  const replaced: Replaced[] = [];
  let offset = 0;
  let current: Replaced | undefined;
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (added !== true && removed !== true) {
      current = undefined;
      offset += text.length;
      continue;
    }
    const last: Replaced = current ?? { start: offset, end: offset, text: '' };
    if (current !== undefined) {
      replaced.pop();
    }
    current =
      removed === true
        ? { ...last, end: last.end + text.length }
        : { ...last, text: last.text + text };
    replaced.push(current);
    offset += removed === true ? text.length : 0;
  }
  return replaced;
}

/** A single replacement, without the text that both begin with and the text that both end with. */
function betweenEnds(before: string, after: string): readonly Replaced[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) {
    start++;
  }
  let tail = 0;
  while (tail < most - start && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail++;
  }
  // Not between the two halves of a line end or of a character.
  start = before.lastIndexOf('\n', start - 1) + 1;
  return [{ start, end: before.length - tail, text: after.slice(start, after.length - tail) }];
}

function getLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}
