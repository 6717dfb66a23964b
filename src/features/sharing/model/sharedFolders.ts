import { resolveInside } from '../../../model/files/roots';
import type { RealPath, Workspace } from '../../../model/ports';

/**
 * Behind a link, some programs go up from where it is, others from where it leads. The agent gets a folder as it is
 * spelled, by which it may have stored its sessions, so that what was checked would be one of the two.
 */
const parentSegment = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/**
 * Whether a folder is one of the window's or below one, as its links lead now; `false` for any with `..`. Never rejects.
 */
export async function isSharedFolder(
  folder: string,
  { folders: all }: Pick<Workspace, 'folders'>,
  realPath: RealPath,
): Promise<boolean> {
  if (parentSegment.test(folder)) {
    return false;
  }
  const folders = all.map(({ path }) => path);
  try {
    await resolveInside(folder, { roots: folders, folders }, realPath);
    return true;
  } catch {
    return false;
  }
}
