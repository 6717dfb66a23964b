import type { Diff } from '../../shared/transcript/content';
import type { Effort } from '../../util/effort';
import { hunksOf } from './compareTexts';

/** The hunks of a change in unified diff format; `undefined` if comparing exceeds `effort`. */
export function diffText({ oldText, newText }: Diff, effort: Effort): string | undefined {
  if (!oldText) {
    const lines = newText.replace(/\n$/, '').split('\n');
    return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
  }
  return hunksOf(oldText, newText, effort)
    ?.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .join('\n');
}
