import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import type { GroupNode, RowGroup } from './nodes';

const keyPrefix = 'folder:';

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

/** Whether a group's label names a folder. */
export function isOfFolder({ group }: GroupNode): boolean {
  return group.key.startsWith(keyPrefix);
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
