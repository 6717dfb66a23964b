import { realpath } from 'node:fs/promises';
import type { RealPath } from '../../model/ports';

export const realPath: RealPath = async (path) => {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
};
