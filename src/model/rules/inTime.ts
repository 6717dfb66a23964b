import { withTimeout } from '../../util/async';

/** Time limit for a look at the disk, in ms: a disk that doesn't answer must not delay the question to the user. */
const diskLimit = 3000;

/** Awaits a look at the disk; `undefined` if it fails or takes too long. */
export async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(work, diskLimit, () => new Error('The disk doesn’t answer'));
  } catch {
    return undefined;
  }
}
