import { stat } from 'node:fs/promises';
import { isNetworkPath } from '../../util/networkPath';

/** How long an address has to answer, in ms. */
const maxWaitMs = 3_000;

/** Whether there is such a file. A path on another machine isn't looked at: that would log in there. */
export async function isThere(command: string): Promise<boolean> {
  try {
    return isNetworkPath(command) || (await stat(command)).isFile();
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/**
 * Whether anything answers at an address. Only its beginning is asked for, without what may be a secret, and no redirect
 * is followed.
 */
export async function answers(address: string): Promise<boolean> {
  try {
    const { origin } = new URL(address);
    const signal = AbortSignal.timeout(maxWaitMs);
    await fetch(origin, { method: 'HEAD', redirect: 'manual', credentials: 'omit', signal });
    return true;
  } catch {
    return false;
  }
}
