import fs from 'node:fs';

/** Calls back and deletes the file each time the file appears. Polls every 20 ms. */
export function watchFile(file: string, found: () => void): void {
  setInterval(() => {
    if (fs.existsSync(file)) {
      fs.rmSync(file);
      found();
    }
  }, 20).unref();
}

export async function waitForFile(file: string, stopped: () => boolean): Promise<void> {
  while (!fs.existsSync(file) && !stopped()) {
    await sleep(10);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
