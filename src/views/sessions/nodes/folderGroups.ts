import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { nameInFolder } from '../../folderLabel';
import type { GroupNode, RowGroup } from './nodes';

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
export function isOfFolder({ group }: GroupNode): boolean {
  return group.key.startsWith(keyPrefix);
}
