import fs from 'node:fs';

/** Calls back and deletes the file each time the file appears, until `ended`. Polls every 20 ms. */
export function watchFile(file: string, ended: AbortSignal, found: () => void): void {
  const timer = setInterval(() => {
    if (fs.existsSync(file)) {
      fs.rmSync(file);
      found();
    }
  }, 20);
  timer.unref();
  ended.addEventListener('abort', () => clearInterval(timer));
}

export async function waitForFile(file: string, stopped: () => boolean): Promise<void> {
  while (!fs.existsSync(file) && !stopped()) {
    await sleep(10);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
