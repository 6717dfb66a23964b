import { statSync } from 'node:fs';
import path from 'node:path';
import { isUnsafeBatch } from './batchFiles';
import { type Environment, windowsKey } from './environment';

// How programs are found and started on Windows. Everything takes the system as it is given, so that
// it can be tested on any other.

/** A program of Windows itself, by its whole path: a name alone is first looked up in the current folder. */
export function systemProgram(environment: Environment, ...names: readonly string[]): string {
  const root = environment['SystemRoot'] ?? '';
  return path.win32.join(/^[a-z]:\\/i.test(root) ? root : 'C:\\Windows', 'System32', ...names);
}

/** Ends a process and all that it has started, as long as the process itself is running. */
export function killCommand(
  pid: number,
  environment: Environment,
): { readonly command: string; readonly args: readonly string[] } {
  const args = ['/pid', String(pid), '/T', '/F'];
  return { command: systemProgram(environment, 'taskkill.exe'), args };
}

/** The kinds of files that can be started without guessing what Windows would open them with. */
const startable = /\.(?:com|exe|bat|cmd)$/i;
const usualEndings = '.COM;.EXE;.BAT;.CMD';

/** The files that a program's name may stand for in one folder, the likeliest first. */
export function windowsNames(name: string, environment: Environment): readonly string[] {
  const endings = (findValue(environment, 'PATHEXT') ?? usualEndings)
    .split(';')
    .filter((ending) => startable.test(ending));
  const added = endings.map((ending) => `${name}${ending.toLowerCase()}`);
  return startable.test(name) ? [name, ...added] : added;
}

/** The folders in a text like PATH; a folder may be quoted, and a relative one is left out. */
export function windowsFolders(text: string): readonly string[] {
  const folders = text.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  return folders
    .map((folder) => folder.replaceAll('"', ''))
    .filter((folder) => path.win32.isAbsolute(folder));
}

export interface WindowsStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** The program's own environment. */
  readonly environment: Environment;
}

/**
 * The whole path of the program to start; throws if there is none, or if it can't be started safely.
 * Windows and cross-spawn would look a name up in the folder where the program starts first, in
 * which anyone may have put a program (https://github.com/nodejs/node/issues/46264).
 */
export function windowsProgram(start: WindowsStart, isFile = isFileNow): string {
  const { command, args, cwd, environment } = start;
  const files = /[\\/:]/.test(command)
    ? [path.win32.resolve(cwd ?? '.', command)].flatMap((file) => [
        file,
        ...windowsNames(file, environment),
      ])
    : windowsFolders(findValue(environment, 'PATH') ?? '').flatMap((folder) =>
        windowsNames(path.win32.join(folder, command), environment),
      );
  // Elsewhere than after the drive, a colon begins the name of a stream in a file.
  const found = files.find((file) => file.indexOf(':', 2) === -1 && isFile(file));
  if (found === undefined) {
    throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
  }
  if (!startable.test(found)) {
    throw new Error(
      `Windows doesn't run ${found} itself: name the program that runs it, such as node or powershell`,
    );
  }
  if (isUnsafeBatch(found, args)) {
    throw new Error(
      `${found} is a batch file, and cmd.exe could take parts of its arguments for commands. ` +
        'Arguments of a batch file must not contain %, line breaks, or quotation marks together with any of & | < > ^ ( )',
    );
  }
  return found;
}

function isFileNow(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Names of variables don't depend on case. */
function findValue(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((one) => windowsKey(one) === name);
  return key === undefined ? undefined : environment[key];
}
