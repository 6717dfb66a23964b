import { go, type SnapshotKey, snapshot } from 'fuzzysort';
import type { FileSuggestion } from '../../../shared/transcript/questions';
import { getParent } from './gitIgnores';

/** A file or folder that can be mentioned. */
export interface FileCandidate {
  /**
   * Relative to its workspace folder, with `/`; starts with the folder's name if there are several
   * folders.
   */
  readonly path: string;
  readonly uri: string;
  readonly isFolder: boolean;
}

/** Candidates prepared for searching. */
export interface FileIndex {
  readonly candidates: readonly FileCandidate[];
  readonly snapshot: SnapshotKey<FileCandidate>;
}

/** Maximum number of suggestions. */
const most = 40;
/** The factor by which a file that is open in an editor scores higher. */
const openBonus = 1.5;
const leastScore = 0.1;

export function fileIndex(candidates: readonly FileCandidate[]): FileIndex {
  return { candidates, snapshot: snapshot(candidates, { key: 'path' }) };
}

/** The best candidates for `text`, preferring those `open` (by URI); without a text, open ones come first. */
export function rankFiles(
  { candidates, snapshot: prepared }: FileIndex,
  text: string,
  open: ReadonlySet<string>,
): readonly FileSuggestion[] {
  if (text === '') {
    const opened = candidates.filter(({ uri }) => open.has(uri));
    const rest = candidates.filter(({ uri }) => !open.has(uri)).slice(0, most);
    return [...opened, ...rest].slice(0, most).map(toSuggestion);
  }
  const found = go(text, prepared, {
    limit: most,
    threshold: leastScore,
    scoreFn: ({ score, obj }) => (open.has(obj.uri) ? score * openBonus : score),
  });
  return found.map(({ obj }) => toSuggestion(obj));
}

function toSuggestion({ path, uri, isFolder }: FileCandidate): FileSuggestion {
  const detail = getParent(path);
  return { uri, name: path.slice(detail === '' ? 0 : detail.length + 1), detail, isFolder };
}

/** The files and the folders that contain them, which no search lists; the shortest paths first. */
export function withFolders(
  files: readonly { readonly path: string; readonly uri: string }[],
): readonly FileCandidate[] {
  const found = new Map<string, FileCandidate>();
  for (const { path, uri } of files) {
    found.set(path, { path, uri, isFolder: false });
    let folder = getParent(path);
    let folderUri = getParent(uri);
    while (folder !== '' && !found.has(folder)) {
      found.set(folder, { path: folder, uri: folderUri, isFolder: true });
      folder = getParent(folder);
      folderUri = getParent(folderUri);
    }
  }
  return [...found.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
}

function depth({ path }: FileCandidate): number {
  return path.split('/').length;
}
