import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Files of a folder that are counted at most. */
const maxFiles = 100_000;

/** The bytes of all files below a folder, which needn't exist. Links aren't followed. Never rejects. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries.filter((each) => each.isFile()).slice(0, maxFiles)) {
    const file = path.join(entry.parentPath, entry.name);
    sum += await lstat(file).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return sum;
}
