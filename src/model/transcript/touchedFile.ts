import type { FileLocation, ToolContent } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';

/**
 * The text that a call touched last: where it says that it is, otherwise what it changed. Files that the call deletes or
 * moves away are left out.
 */
export function touchedFile({
  locations,
  content,
}: Pick<ToolCallEntry, 'locations' | 'content'>): FileLocation | undefined {
  const gone = new Set(content.flatMap(goneIn));
  const isThere = ({ path }: FileLocation): boolean => !gone.has(path);
  return locations.findLast(isThere) ?? content.flatMap(textIn).findLast(isThere);
}

function goneIn(part: ToolContent): readonly string[] {
  if (part.type !== 'fileChange') {
    return [];
  }
  const { operation, path, oldPath } = part;
  return operation === 'delete' ? [path] : operation === 'move' && oldPath ? [oldPath] : [];
}

function textIn(part: ToolContent): readonly FileLocation[] {
  const mayBeText =
    part.type === 'diff' ||
    (part.type === 'fileChange' && (part.fileType === undefined || part.fileType === 'text'));
  return mayBeText ? [{ path: part.path }] : [];
}
