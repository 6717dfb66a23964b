import { isInside } from '../../../model/files/roots';
import { findRepository } from '../../../model/places/repository';
import type { RealPath, WorkspaceFolder } from '../../../model/ports';

/**
 * The folder of the window that a session's folder belongs to, whose settings say how it is checked: the one that it is
 * in, otherwise one of the same repository. `undefined` if there is none. Never rejects.
 */
export async function findHomeFolder(
  cwd: string,
  folders: readonly WorkspaceFolder[],
  realPath: RealPath,
): Promise<WorkspaceFolder | undefined> {
  const real = (await realPath(cwd)) ?? cwd;
  const known = await Promise.all(
    folders.map(async (folder) => ({ folder, path: (await realPath(folder.path)) ?? folder.path })),
  );
  const around = known
    .filter(({ path }) => isInside(real, [path]))
    .sort((a, b) => b.path.length - a.path.length);
  if (around[0] !== undefined) {
    return around[0].folder;
  }
  const own = await findRepository(cwd, realPath);
  if (own === undefined) {
    return undefined;
  }
  for (const folder of folders) {
    const place = await findRepository(folder.path, realPath);
    if (place?.common === own.common) {
      return folder;
    }
  }
  return undefined;
}
