import { go, type SnapshotKey, snapshot } from 'fuzzysort';
import type { FileSuggestion } from '../../../shared/transcript/webviewMessages';
import { parentOf } from './gitIgnores';

/** A file or folder that can be mentioned. */
export interface Candidate {
  /** Relative to its workspace folder, with `/`; begins with the folder's name when there are several. */
  readonly path: string;
  readonly uri: string;
  readonly isFolder: boolean;
}

/** Candidates, made ready to be searched. */
export interface FileIndex {
  readonly candidates: readonly Candidate[];
  readonly snapshot: SnapshotKey<Candidate>;
}

/** More than these nobody reads. */
const most = 40;
/** How much sooner a file comes that is open in an editor. */
const openBonus = 1.5;
const leastScore = 0.1;

export function fileIndex(candidates: readonly Candidate[]): FileIndex {
  return { candidates, snapshot: snapshot(candidates, { key: 'path' }) };
}

/** The best for `text`, those that are `open` (by URI) first among equals; without a text all that are open. */
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

function toSuggestion({ path, uri, isFolder }: Candidate): FileSuggestion {
  const detail = parentOf(path);
  return { uri, name: path.slice(detail === '' ? 0 : detail.length + 1), detail, isFolder };
}

/** The files with the folders that they are in, which nobody lists; the shortest paths first. */
export function withFolders(
  files: readonly { readonly path: string; readonly uri: string }[],
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { path, uri } of files) {
    found.set(path, { path, uri, isFolder: false });
    let folder = parentOf(path);
    let folderUri = parentOf(uri);
    while (folder !== '' && !found.has(folder)) {
      found.set(folder, { path: folder, uri: folderUri, isFolder: true });
      folder = parentOf(folder);
      folderUri = parentOf(folderUri);
    }
  }
  return [...found.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
}

function depth({ path }: Candidate): number {
  return path.split('/').length;
}
