import type { WorkspaceFolder } from '../model/ports';
import { cleanText } from '../model/text/titles';

/** A folder's name where nothing around it names its workspace folder: `project`, `project/src`. */
export function folderLabel(cwd: string, folders: readonly WorkspaceFolder[]): string {
  const around = folders.find((folder) => nameInFolder(cwd, folder) !== undefined);
  const parts =
    around === undefined
      ? [cwd]
      : [around.name, ...cwd.slice(around.path.length).split(/[\\/]/)].filter(
          (part) => part !== '',
        );
  return cleanText(parts.join('/'), 500) || cwd;
}

/** The path from a workspace folder to a folder in it, or the workspace folder's own name; `undefined` outside. */
export function nameInFolder(
  cwd: string,
  { path: folder, name }: WorkspaceFolder,
): string | undefined {
  const below = cwd.startsWith(folder) ? cwd.slice(folder.length) : undefined;
  if (below === '') {
    return name;
  }
  return below !== undefined && /^[\\/]./u.test(below) ? below.slice(1) : undefined;
}
