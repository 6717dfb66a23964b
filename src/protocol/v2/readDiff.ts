import type { Diff, FileChange } from '../../shared/transcript/content';
import { isObject, type JsonObject } from '../../util/json';
import { boundedText, maxItems } from '../bounds';
import { type PatchSection, readGitPatch, withoutPrefix } from '../gitPatch';
import { pathIn } from '../shapes/normaliseContent';
import type { BoundedContent } from './boundedContent';

const operations: ReadonlySet<unknown> = new Set<FileChange['operation']>([
  'add',
  'delete',
  'modify',
  'move',
  'copy',
]);
const fileTypes: ReadonlySet<unknown> = new Set<FileChange['fileType']>([
  'text',
  'binary',
  'directory',
  'symlink',
]);
/** Sections of a patch for one path: a file that becomes a link has one that deletes it and one that adds the link. */
const maxSections = 2;

/**
 * A diff of files. Its changes say which ones, and the patch only adds texts to them (V2-DIFF-1): a text that is added
 * or modified becomes a `Diff` for each hunk, anything else a `FileChange` and what `Diff`s there are. `false` if no
 * change can be read.
 */
export function readDiff(value: JsonObject, content: BoundedContent): boolean {
  const { changes } = value;
  if (!Array.isArray(changes)) {
    return false;
  }
  const readable = changes
    .slice(0, maxItems)
    .map(readChange)
    .filter((change) => change !== undefined);
  const sections = getSections(value['patch'], readable);
  for (const change of readable) {
    addChange(change, sections.of(change), content);
  }
  content.leaveOut(Math.max(0, changes.length - maxItems));
  return readable.length > 0 || changes.length === 0;
}

/** A change; `undefined` without a path. */
function readChange(value: unknown): FileChange | undefined {
  const path = isObject(value) ? pathIn(value, 'path') : undefined;
  if (!isObject(value) || path === undefined) {
    return undefined;
  }
  const { operation, fileType } = value;
  const known = operations.has(operation) ? (operation as FileChange['operation']) : 'other';
  const isPair = known === 'move' || known === 'copy' || known === 'other';
  const oldPath = isPair ? pathIn(value, 'oldPath') : undefined;
  return {
    type: 'fileChange',
    operation: known,
    path,
    ...(oldPath !== undefined && { oldPath }),
    ...(fileTypes.has(fileType) && { fileType: fileType as NonNullable<FileChange['fileType']> }),
  };
}

function addChange(
  change: FileChange,
  sections: readonly PatchSection[],
  content: BoundedContent,
): void {
  const { operation } = change;
  const fileType = change.fileType ?? sections.at(-1)?.fileType;
  const mayBeText = fileType === undefined || fileType === 'text';
  const diffs = getDiffs(change, sections);
  const { value: first } = diffs.next();
  const isTold = first && mayBeText && (operation === 'add' || operation === 'modify');
  if (!isTold) {
    content.add({ ...change, ...(fileType && { fileType }) });
  }
  if (first) {
    content.add(first);
  }
  for (const diff of diffs) {
    content.add(diff);
  }
}

function* getDiffs(
  { operation, path }: FileChange,
  sections: readonly PatchSection[],
): Generator<Diff, undefined> {
  for (const section of sections) {
    for (const { oldText, newText } of section.hunks()) {
      const isNew = operation === 'add' && oldText === '';
      yield {
        type: 'diff',
        path,
        oldText: isNew ? null : boundedText(oldText),
        newText: boundedText(newText),
      };
    }
  }
  return undefined;
}

/** The sections of a patch by the paths of the changes that they are for. */
interface Sections {
  of(change: FileChange): readonly PatchSection[];
}

function getSections(patch: unknown, changes: readonly FileChange[]): Sections {
  const byPath = new Map<string, { readonly sections: PatchSection[]; changes: number }>();
  for (const { path } of changes) {
    const known = byPath.get(path);
    if (known === undefined) {
      byPath.set(path, { sections: [], changes: 1 });
    } else {
      known.changes++;
    }
  }
  if (isObject(patch) && patch['format'] === 'git_patch' && typeof patch['text'] === 'string') {
    for (const section of readGitPatch(patch['text'])) {
      const bare = withoutPrefix(section.path);
      const own = byPath.get(section.path) ?? byPath.get(bare) ?? byPath.get(`/${bare}`);
      if (own !== undefined && own.sections.length < maxSections) {
        own.sections.push(section);
      }
    }
  }
  return {
    of: ({ path, operation }) => {
      const { sections, changes: count } = byPath.get(path) ?? { sections: [], changes: 0 };
      // Two changes of one path are its deletion and its addition as something else.
      return count > 1
        ? sections.filter(({ isDeleted }) => isDeleted === (operation === 'delete'))
        : sections;
    },
  };
}
