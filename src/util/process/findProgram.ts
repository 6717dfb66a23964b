import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Environment, System } from './environment';
import { loginShellEnvironment } from './loginShellEnvironment';
import { windowsFolders, windowsNames } from './windowsPrograms';

/**
 * Finds a program by name on this process's PATH, then on the login shell's: that is asked, which may take seconds, only
 * where the first has no such program.
 */
export async function findOnPath(
  name: string,
  shell: () => Promise<Environment | undefined> = loginShellEnvironment,
): Promise<string | undefined> {
  return (
    (await findProgram(name, [process.env['PATH']])) ??
    findProgram(name, [(await shell())?.['PATH']])
  );
}

/**
 * Finds a program by name in lists of folders like PATH; `undefined` if it is in none. On Windows,
 * a name may have any of the endings in PATHEXT that can be started without a guess.
 */
export async function findProgram(
  name: string,
  searchPaths: readonly (string | undefined)[],
  system: System = { platform: process.platform, environment: process.env },
): Promise<string | undefined> {
  for (const file of placesOfProgram(name, searchPaths, system)) {
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
  system: System = { platform: process.platform, environment: process.env },
): readonly string[] {
  return [...new Set(searchPaths.flatMap((text) => filesNamed(name, text ?? '', system)))];
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

function filesNamed(name: string, text: string, { platform, environment }: System): string[] {
  if (platform === 'win32') {
    return windowsFolders(text).flatMap((folder) =>
      windowsNames(path.win32.join(folder, name), environment),
    );
  }
  const folders = text.split(path.posix.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name));
}
