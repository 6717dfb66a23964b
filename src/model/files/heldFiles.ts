import process from 'node:process';

/**
 * Codes of a file that is held: on Windows, nobody can rename or delete it while a program such as a virus scanner
 * reads it.
 */
const heldCodes: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];
/** Pauses between attempts in ms: 1.3 seconds in sum, in which scanners are done with a file. */
const pausesMs = [10, 20, 40, 80, 160, 320, 640];

export interface Patience {
  readonly platform: NodeJS.Platform;
  readonly pause: (ms: number) => Promise<unknown>;
}

const usual: Patience = {
  platform: process.platform,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Renames or deletes something; on Windows again, a few times, while another program holds it. */
export async function whileHeld<T>(
  act: () => Promise<T>,
  { platform, pause }: Patience = usual,
): Promise<T> {
  for (const ms of platform === 'win32' ? pausesMs : []) {
    try {
      return await act();
    } catch (error) {
      if (!heldCodes.includes((error as NodeJS.ErrnoException).code)) {
        throw error;
      }
    }
    await pause(ms);
  }
  return act();
}
