import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { comparablePath } from '../../../model/files/paths';
import type { Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import { nameInFolder } from '../../folderLabel';
import type { GroupNode, RowGroup, SessionNode } from './nodes';

/** Far more than any row shows, in characters: VS Code cuts it where the row ends. */
const maxMarkLength = 200;

/** The location of a session's folder. */
export interface RowPlace {
  readonly cwd: string;
  /** The user has located it; its agent still has the old path. */
  readonly moved: boolean;
  readonly gone: boolean;
  /** The worktree, if it is one beside the main one. */
  readonly worktree?: Pick<Worktree, 'branch'> | undefined;
  /** Whether the worktree's branch is merged. */
  readonly isMerged?: boolean;
}

/** A row's note about its session's folder, and its words for actions on that folder. */
export interface FolderFacts {
  /** What the user has to know before anything else. */
  readonly warning: string | undefined;
  readonly mark: string | undefined;
  /** What the mark says, for a screen reader. */
  readonly spoken: string | undefined;
  readonly words: readonly NodeWord[];
}

export function folderFacts(
  node: SessionNode,
  folders: readonly WorkspaceFolder[],
  place: RowPlace,
): FolderFacts {
  const branch = place.gone ? undefined : branchAbout(node, place);
  const warning = place.gone ? l10n.t('folder is gone') : undefined;
  const merged = place.isMerged === true ? l10n.t('merged') : undefined;
  const folder = warning === undefined ? folderMark(node, folders, place.cwd) : undefined;
  return {
    warning,
    mark: joined([branch === undefined ? folder : `⎇ ${branch}`, merged], ' · '),
    spoken: joined(
      [branch === undefined ? (warning ?? folder) : l10n.t('branch {0}', branch), merged],
      ', ',
    ),
    words: placeWords(place),
  };
}

function joined(parts: readonly (string | undefined)[], between: string): string | undefined {
  return parts.filter(Boolean).join(between) || undefined;
}

/** The words for actions on the location of a session's folder. */
export function placeWords({ gone, moved, worktree }: RowPlace): readonly NodeWord[] {
  return [
    ...(gone || moved ? [nodeWords.locatable] : []),
    ...(moved ? [nodeWords.moved] : []),
    ...(worktree === undefined ? [] : [nodeWords.worktree]),
  ];
}

/** The branch of a session's worktree if no node around its row names it. */
function branchAbout({ parent }: SessionNode, { worktree }: RowPlace): string | undefined {
  const around = parent?.kind === 'group' ? parent.parent : parent;
  return worktree?.branch === undefined || around?.kind === 'worktree'
    ? undefined
    : cleanText(worktree.branch, maxMarkLength);
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
    : cleanText(path.basename(cwd) || cwd, maxMarkLength);
}

const keyPrefix = 'folder:';

/** The group of a session's folder, labeled relative to the workspace folder that contains it; otherwise in full. */
export function folderGroup(cwd: string, folders: readonly WorkspaceFolder[]): RowGroup {
  const label = folders
    .map((folder) => nameInFolder(cwd, folder))
    .find((name) => name !== undefined);
  const fallback = folders[0]?.name ?? cwd;
  return {
    key: `${keyPrefix}${cwd}`,
    label: cleanText(label ?? cwd, 200) || fallback,
    icon: 'folder',
  };
}

/** Whether a group's label names a folder. */
function isOfFolder({ group }: GroupNode): boolean {
  return group.key.startsWith(keyPrefix);
}
