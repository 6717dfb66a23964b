import { realpath } from 'node:fs/promises';
import type { RealPath } from '../../model/ports';
import { isElsewhere } from '../../util/elsewhere';

export const realPath: RealPath = async (path) => {
  if (isElsewhere(path)) {
    return undefined;
  }
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
};
