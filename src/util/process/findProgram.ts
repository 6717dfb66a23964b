import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { loginShellEnvironment } from './loginShellEnvironment';

/** The PATHs in which an agent's command is looked up: this process's, followed by the login shell's. */
export async function searchPaths(): Promise<readonly (string | undefined)[]> {
  return [process.env['PATH'], (await loginShellEnvironment())?.['PATH']];
}

/**
 * Finds a program by name in lists of folders like PATH; `undefined` if it is in none. On Windows,
 * a name without an extension may have any of those in PATHEXT.
 */
export async function findProgram(
  name: string,
  searchPaths: readonly (string | undefined)[],
): Promise<string | undefined> {
  const folders = searchPaths.flatMap((text) => text?.split(path.delimiter) ?? []);
  const endings =
    process.platform === 'win32' && path.extname(name) === ''
      ? (process.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')
      : [''];
  for (const folder of new Set(folders.filter((folder) => path.isAbsolute(folder)))) {
    for (const ending of endings) {
      const file = path.join(folder, `${name}${ending}`);
      if (await isProgram(file)) {
        return file;
      }
    }
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
