import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { comparablePath } from '../../../model/files/paths';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import { isOfFolder } from './folderGroups';
import type { SessionNode } from './nodes';

/** Maximum length of a folder's name on a row, in characters: title and time need room, too. */
const longestMark = 20;

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
  const isSaid = parent?.kind === 'group' && isOfFolder(parent);
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
