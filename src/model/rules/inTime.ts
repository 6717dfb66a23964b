import { withTimeout } from '../../util/async';

/** A disk that doesn't answer must not keep the user from being asked, in ms. */
const diskLimit = 3000;

/** What a look at the disk has found; `undefined` if it failed or takes too long. */
export async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(work, diskLimit, () => new Error('The disk doesn’t answer'));
  } catch {
    return undefined;
  }
}
