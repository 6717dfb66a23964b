import { structuredPatch } from 'diff';
import type { Diff } from '../shared/content';

/** Beyond these a comparison takes too long. */
const maxCharacters = 1_000_000;
const maxEdits = 2000;

/** The hunks of a change as a unified diff; `undefined` when it is too large to compare. */
export function diffText({ oldText, newText }: Diff): string | undefined {
  if (!oldText) {
    const lines = newText.replace(/\n$/, '').split('\n');
    return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
  }
  if (oldText.length + newText.length > maxCharacters) {
    return undefined;
  }
  const options = { context: 3, maxEditLength: maxEdits };
  const hunks = structuredPatch('', '', oldText, newText, '', '', options)?.hunks;
  return hunks
    ?.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .join('\n');
}
