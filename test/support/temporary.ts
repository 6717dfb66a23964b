import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

let folder: string | undefined;

/** The path of a file in a folder that `removeTemporary` deletes. */
export function temporaryFile(name: string): string {
  folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'acp-protocol-'));
  return path.join(folder, name);
}

export function removeTemporary(): void {
  if (folder !== undefined) {
    fs.rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  }
}
