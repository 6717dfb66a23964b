import { stat } from 'node:fs/promises';
import type { FolderIsGone } from '../../model/places/goneFolders';

export const folderIsGone: FolderIsGone = async (path) => {
  try {
    return !(await stat(path)).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
};
