import { rmdir } from 'node:fs/promises';
import path from 'node:path';

/** Removes a folder and those around it up to `outermost`, as far as they are empty. Never rejects. */
export async function removeEmpty(folder: string, outermost: string): Promise<void> {
  for (let at = folder; at.startsWith(outermost); at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}
