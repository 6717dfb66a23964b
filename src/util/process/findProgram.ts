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
  for (const file of placesOfProgram(name, searchPaths)) {
    if (await isProgram(file)) {
      return file;
    }
  }
  return undefined;
}

/** The files that a program of this name could be, in the order in which they are tried. */
export function placesOfProgram(
  name: string,
  searchPaths: readonly (string | undefined)[],
): readonly string[] {
  const folders = searchPaths.flatMap((text) => text?.split(path.delimiter) ?? []);
  const endings =
    process.platform === 'win32' && path.extname(name) === ''
      ? (process.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')
      : [''];
  const absolute = [...new Set(folders.filter((folder) => path.isAbsolute(folder)))];
  return absolute.flatMap((folder) =>
    endings.map((ending) => path.join(folder, `${name}${ending}`)),
  );
}

/** Whether this is a file that this user may run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
