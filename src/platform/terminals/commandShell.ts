import { stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { TerminalOptions } from '../../model/ports';
import { refusal } from '../../protocol/refusal';
import { isNetworkPath } from '../../util/networkPath';
import type { System } from '../../util/process/environment';
import { findProgram, isProgram } from '../../util/process/findProgram';
import { programName } from '../../util/process/programName';
import { systemProgram, windowsProgram } from '../../util/process/windowsPrograms';

/** A way in which shells take a command line. */
interface ShellKind {
  readonly name: RegExp;
  readonly flags: readonly string[];
  /** Whether the shell itself knows this word, so that it needs no program. */
  knows(word: string): boolean;
}

const posixWords = new Set(
  `: . [ ! { ( alias bg bind break builtin case cd command compgen complete continue declare dirs disown do echo enable
  eval exec exit export false fc fg for function getopts hash help history if jobs kill let local popd printf pushd pwd
  read readonly return select set shift shopt source suspend test time times trap true type typeset ulimit umask unalias
  unset until wait while begin functions string status math`.split(/\s+/),
);
const cmdWords = new Set(
  `assoc call cd chdir cls color copy date del dir echo endlocal erase exit for ftype goto if md mkdir mklink move path
  pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify vol`.split(
    /\s+/,
  ),
);

const kinds: readonly ShellKind[] = [
  {
    name: /^(?:sh|bash|dash|zsh|ksh|fish)$/,
    flags: ['-c'],
    knows: (word) => posixWords.has(word),
  },
  { name: /^cmd$/i, flags: ['/d', '/s', '/c'], knows: (word) => cmdWords.has(word.toLowerCase()) },
  // Its commands can't be listed.
  {
    name: /^(?:powershell|pwsh)$/i,
    flags: ['-NoLogo', '-NonInteractive', '-Command'],
    knows: () => true,
  },
];

/** No program has a longer name; a longer text isn't looked for as a file. */
const maxNameLength = 4096;
const thisSystem: System = { platform: process.platform, environment: process.env };

/** The first of these shells that is there and takes a command line, otherwise the system's own. */
export async function commandShell(
  wanted: readonly string[],
  system: System = thisSystem,
): Promise<string> {
  for (const shell of wanted) {
    const isNamed = findKind(shell) !== undefined;
    const found =
      isNamed && path.isAbsolute(shell)
        ? (await isProgram(shell)) && shell
        : isNamed && !/[\\/]/.test(shell) && (await findProgram(shell, searched(system), system));
    if (found) {
      return found;
    }
  }
  return system.platform === 'win32' ? systemProgram(system.environment, 'cmd.exe') : '/bin/sh';
}

/**
 * Whether a command without arguments is a line for this shell: it names no program, neither by its path nor on the
 * `PATH`, and isn't a single word that the shell doesn't know either. Such a word is a program that isn't there.
 */
export async function isCommandLine(
  { command, args, cwd }: Pick<TerminalOptions, 'command' | 'args' | 'cwd'>,
  shell: string,
  system: System = thisSystem,
): Promise<boolean> {
  if (args.length > 0 || (await namesProgram(command, cwd, system))) {
    return false;
  }
  const isWord = (system.platform === 'win32' ? windowsWord : posixWord).test(command);
  return !isWord || (!/[\\/]/.test(command) && findKind(shell)?.knows(command) === true);
}

/** A word that means just itself in every shell. */
const posixWord = /^[\p{L}\p{N}_@+:,./-]+$/u;
const windowsWord = /^[\p{L}\p{N}_+:./\\-]+$/u;

/** The program that a line begins with, if the shell has to find it; `undefined` for its own words, and for signs. */
export function firstProgram(line: string, shell: string): string | undefined {
  const [word] = /^[\p{L}\p{N}_+.-]+(?=\s|$)/u.exec(line.trimStart()) ?? [];
  return word === undefined || findKind(shell)?.knows(word) === true ? undefined : word;
}

/** The arguments with which a shell gets a line, word for word. */
export function shellArguments(
  shell: string,
  line: string,
): { readonly args: readonly string[]; readonly isVerbatim: boolean } {
  const flags = findKind(shell)?.flags ?? ['-c'];
  if (isCmd(shell)) {
    // It takes everything between the first and the last quotation mark, as it is.
    return { args: [...flags, `"${line}"`], isVerbatim: true };
  }
  // A line that begins like an option must not be taken for one.
  return { args: [...flags, /^[-+]/.test(line) ? ` ${line}` : line], isVerbatim: false };
}

/** Variables for a shell of this kind: cmd.exe looks for programs in its folder first, in which anyone may put one. */
export function shellVariables(shell: string): Readonly<Record<string, string>> {
  return isCmd(shell) ? { NoDefaultCurrentDirectoryInExePath: '1' } : {};
}

/** Refuses a line of which this shell would run only a part. */
export function mustTakeLine(shell: string, line: string): void {
  if (isCmd(shell) && /[\r\n]/.test(line)) {
    throw refusal('invalidParams', 'cmd.exe runs only the first line of a command');
  }
}

function isCmd(shell: string): boolean {
  return /^cmd$/i.test(programName(shell));
}

function findKind(shell: string): ShellKind | undefined {
  const name = programName(shell);
  return kinds.find((kind) => kind.name.test(name));
}

function searched({ platform, environment }: System): readonly (string | undefined)[] {
  const names = Object.keys(environment);
  const name = platform === 'win32' ? names.find((key) => key.toUpperCase() === 'PATH') : 'PATH';
  return name === undefined ? [] : [environment[name]];
}

async function namesProgram(command: string, cwd: string, system: System): Promise<boolean> {
  if (command.length > maxNameLength) {
    return false;
  }
  if (system.platform === 'win32') {
    return isOnWindows(command, cwd, system);
  }
  return command.includes('/')
    ? isFile(path.resolve(cwd, command))
    : (await findProgram(command, searched(system), system)) !== undefined;
}

function isOnWindows(command: string, cwd: string, { environment }: System): boolean {
  // Looking would log in to another machine.
  if (isNetworkPath(command) || isNetworkPath(cwd)) {
    return false;
  }
  try {
    windowsProgram({ command, args: [], cwd, environment });
    return true;
  } catch (error) {
    // Anything else is about a file that is there.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
