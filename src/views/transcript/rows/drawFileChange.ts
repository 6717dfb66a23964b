import path from 'node:path';
import type { FileChange, ToolContent } from '../../../shared/transcript/content';
import type { DrawnFileChange } from '../../../shared/transcript/drawn';
import { isElsewhere } from '../../../util/elsewhere';
import { shortPath } from './drawTexts';

/** What happened to a file; `content` is everything in its call, with the change at `at`. */
export function drawFileChange(
  change: FileChange,
  content: readonly ToolContent[],
  at: number,
  cwd: string,
): DrawnFileChange {
  const { operation, oldPath } = change;
  const next = content[at + 1];
  const isElse = isElsewhere(cwd) || isElsewhere(path.resolve(cwd, change.path));
  return {
    ...change,
    label: shortPath(change.path, cwd),
    ...(oldPath !== undefined && { oldLabel: shortPath(oldPath, cwd) }),
    ...(next?.type === 'diff' && next.path === change.path && { hasLines: true }),
    ...(operation !== 'delete' && !isElse && { opens: true }),
  };
}

/** Whether the diff at this place only continues what a file change before it has begun. */
export function goesOn(content: readonly ToolContent[], at: number): boolean {
  const diff = content[at];
  for (let before = at - 1; diff?.type === 'diff' && before >= 0; before--) {
    const part = content[before];
    if (part?.type === 'fileChange') {
      return part.path === diff.path;
    }
    if (part?.type !== 'diff' || part.path !== diff.path) {
      return false;
    }
  }
  return false;
}
