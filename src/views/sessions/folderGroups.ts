import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../model/agent';
import { comparablePath } from '../../model/paths';
import type { WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/titles';
import type { RowGroup, SessionNode } from './nodes';

const keyPrefix = 'folder:';

/** The group of a session's folder: named from the folder of these that it is in, or in full when it lies elsewhere. */
export function folderGroup(cwd: string, folders: readonly WorkspaceFolder[]): RowGroup {
  const label = folders.map((folder) => nameIn(cwd, folder)).find((name) => name !== undefined);
  const fallback = folders[0]?.name ?? cwd;
  return {
    key: `${keyPrefix}${cwd}`,
    label: cleanText(label ?? cwd, 200) || fallback,
    icon: 'folder',
  };
}

function nameIn(cwd: string, { path: folder, name }: WorkspaceFolder): string | undefined {
  const below = cwd.startsWith(folder) ? cwd.slice(folder.length) : undefined;
  if (below === '') {
    return name;
  }
  return below !== undefined && /^[\\/]./u.test(below) ? below.slice(1) : undefined;
}

/** The name of a session's folder where nothing around its row says that it is none of the workspace's. */
export function folderMark(
  { list, parent, row }: SessionNode,
  folders: readonly WorkspaceFolder[],
): string | undefined {
  const isSaid = parent?.kind === 'group' && parent.group.key.startsWith(keyPrefix);
  if (list.folder !== undefined || isSaid) {
    return undefined;
  }
  const { cwd } = row.info;
  const own = comparablePath(cwd);
  return folders.some((folder) => comparablePath(folder.path) === own)
    ? undefined
    : cleanText(path.basename(cwd) || cwd, 60);
}

/** The line in a list that has no session. */
export function emptyAppearance({ folder }: SessionList): {
  readonly label: string;
  readonly icon: { readonly id: string };
} {
  const label =
    folder === undefined ? l10n.t('No sessions yet') : l10n.t('No sessions in this folder yet');
  return { label, icon: { id: 'info' } };
}
