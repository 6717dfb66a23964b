import { resolveInside } from '../files/roots';
import type { RealPath, Workspace } from '../ports';

/** Whether a folder really is one of the window's, wherever its links lead, or below one. Never rejects. */
export async function isSharedFolder(
  folder: string,
  { folders: all }: Pick<Workspace, 'folders'>,
  realPath: RealPath,
): Promise<boolean> {
  const folders = all.map(({ path }) => path);
  try {
    await resolveInside(folder, { roots: folders, folders }, realPath);
    return true;
  } catch {
    return false;
  }
}
