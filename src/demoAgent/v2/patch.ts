import { formatPatch, structuredPatch } from 'diff';
import type { FileChange } from '../vocabulary/updates';

const nothing = '/dev/null';
const linkMode = '120000';

/**
 * The section of a `git diff` for a change, with absolute paths and no prefixes; `undefined` if it can't be told so: of
 * binary files and folders there is nothing to read. `line` is that of the texts, if they are only a part of the file.
 */
export function gitPatch(change: FileChange, line = 1): string | undefined {
  const { operation, path, oldPath = path, fileType, oldText, newText } = change;
  if (fileType === 'binary' || fileType === 'directory') {
    return undefined;
  }
  const isMoved = operation === 'move' || operation === 'copy';
  if (!isMoved && oldText === undefined && newText === undefined) {
    return undefined;
  }
  const patch = structuredPatch(
    operation === 'add' ? nothing : oldPath,
    operation === 'delete' ? nothing : path,
    oldText ?? '',
    newText ?? '',
  );
  return formatPatch({
    ...patch,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + line - 1,
      newStart: hunk.newStart + line - 1,
    })),
    isGit: true,
    isCreate: operation === 'add',
    isDelete: operation === 'delete',
    isRename: operation === 'move',
    isCopy: operation === 'copy',
    ...(fileType === 'symlink' && operation === 'add' && { newMode: linkMode }),
    ...(fileType === 'symlink' && operation === 'delete' && { oldMode: linkMode }),
  });
}
