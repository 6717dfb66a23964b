import { rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** When the agent touched the file, in ms since 1970. Deletes the file. */
export async function touched(folder: string, name: string): Promise<number> {
  const file = path.join(folder, name);
  for (let waited = 0; waited < 10_000; waited += 5) {
    const found = await stat(file).catch(() => undefined);
    if (found) {
      await rm(file);
      return found.mtimeMs;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The agent never got as far as “${name}”`);
}
