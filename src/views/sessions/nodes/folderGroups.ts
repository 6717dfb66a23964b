import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../../model/agents/agent';
import { comparablePath } from '../../../model/files/paths';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import type { RowGroup, SessionNode } from './nodes';

const keyPrefix = 'folder:';
/** Maximum length of a folder's name on a row, in characters: title and time need room, too. */
const longestMark = 20;

/** The group of a session's folder, labeled relative to the workspace folder that contains it; otherwise in full. */
export function folderGroup(cwd: string, folders: readonly WorkspaceFolder[]): RowGroup {
  const label = folders.map((folder) => nameIn(cwd, folder)).find((name) => name !== undefined);
  const fallback = folders[0]?.name ?? cwd;
  return {
    key: `${keyPrefix}${cwd}`,
    label: cleanText(label ?? cwd, 200) || fallback,
    icon: 'folder',
  };
}

/** A folder's name where nothing around it names its workspace folder: `project`, `project/src`. */
export function folderLabel(cwd: string, folders: readonly WorkspaceFolder[]): string {
  const around = folders.find((folder) => nameIn(cwd, folder) !== undefined);
  const parts =
    around === undefined
      ? [cwd]
      : [around.name, ...cwd.slice(around.path.length).split(/[\\/]/)].filter(
          (part) => part !== '',
        );
  return cleanText(parts.join('/'), 500) || cwd;
}

function nameIn(cwd: string, { path: folder, name }: WorkspaceFolder): string | undefined {
  const below = cwd.startsWith(folder) ? cwd.slice(folder.length) : undefined;
  if (below === '') {
    return name;
  }
  return below !== undefined && /^[\\/]./u.test(below) ? below.slice(1) : undefined;
}

/** The location of a session's folder. */
export interface RowPlace {
  readonly cwd: string;
  /** The user has located it; its agent still has the old path. */
  readonly moved: boolean;
  readonly gone: boolean;
}

/** A row's note about its session's folder, and its words for actions on that folder. */
export interface FolderFacts {
  readonly mark: string | undefined;
  readonly words: readonly NodeWord[];
}

export function folderFacts(
  node: SessionNode,
  folders: readonly WorkspaceFolder[],
  place: RowPlace,
): FolderFacts {
  return {
    mark: place.gone ? l10n.t('folder is gone') : folderMark(node, folders, place.cwd),
    words: placeWords(place),
  };
}

/** The words for actions on the location of a session's folder. */
export function placeWords({ gone, moved }: RowPlace): readonly NodeWord[] {
  return [...(gone || moved ? [nodeWords.locatable] : []), ...(moved ? [nodeWords.moved] : [])];
}

/** The name of a session's folder if it isn't a workspace folder and nothing around its row names it. */
function folderMark(
  { list, parent }: SessionNode,
  folders: readonly WorkspaceFolder[],
  cwd: string,
): string | undefined {
  const isSaid = parent?.kind === 'group' && parent.group.key.startsWith(keyPrefix);
  if (list.folder !== undefined || isSaid) {
    return undefined;
  }
  const own = comparablePath(cwd);
  return folders.some((folder) => comparablePath(folder.path) === own)
    ? undefined
    : cleanText(path.basename(cwd) || cwd, longestMark);
}

/** The tooltip's line about a folder that isn't at the path that its agent has. */
export function placeLine({ cwd, moved, gone }: RowPlace): string {
  const folder = cleanText(cwd, 1000);
  if (gone) {
    return `\n\n${l10n.t('The folder {0} is gone. Use “Locate Folder…” to choose its new location.', folder)}`;
  }
  return moved ? `\n\n${l10n.t('Opens in {0}, where its folder is now.', folder)}` : '';
}

/** The message in a list without sessions. */
export function emptyAppearance({ folder }: SessionList): {
  readonly label: string;
  readonly icon: { readonly id: string };
} {
  const label =
    folder === undefined ? l10n.t('No sessions yet') : l10n.t('No sessions in this folder yet');
  return { label, icon: { id: 'info' } };
}
