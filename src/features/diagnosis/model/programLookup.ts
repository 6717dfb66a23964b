import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentConfig } from '../../../model/ports';
import { childEnvironment } from '../../../util/process/childEnvironment';
import type { Environment } from '../../../util/process/environment';
import { findProgram, isProgram, placesOfProgram } from '../../../util/process/findProgram';
import {
  findElsewhere,
  findInterpreter,
  findManager,
  findPackage,
  type Interpreter,
  type PackageFacts,
} from './programFacts';

/** How an agent's command is found, as its start finds it. */
export interface ProgramLookup {
  /** The PATH that programs get from VS Code, with that of the agent's settings. */
  readonly path: string | undefined;
  /** The PATH of the login shell, with that of the agent's settings; `undefined` if it isn't known. */
  readonly loginPath: string | undefined;
  /** The login shell was asked for its environment and gave none. */
  readonly loginFailed: boolean;
  readonly program?: FoundProgram;
  /** A file of the command's name that can't be run. */
  readonly refused?: string;
  /** The place where the command is installed, outside of every PATH. */
  readonly elsewhere?: string;
}

export interface FoundProgram {
  readonly file: string;
  /** The path with all links resolved. */
  readonly realPath: string;
  /** `settings`: the settings have its path, so no PATH matters. */
  readonly through: 'path' | 'loginPath' | 'settings';
  readonly manager?: string;
  readonly package?: PackageFacts;
  readonly interpreter?: Interpreter;
  /** The interpreter isn't there. */
  readonly lacksInterpreter: boolean;
  /** The variables that the start adds to those of VS Code. */
  readonly environments: readonly Environment[];
}

interface LookupOptions {
  readonly cwd: string | undefined;
  readonly home: string;
  /** `undefined` if no shell may be started. */
  readonly loginEnvironment: (() => Promise<Environment | undefined>) | undefined;
}

/** Looks up an agent's command in the order in which its start does, without starting it. */
export async function lookUpProgram(
  { command, env }: Pick<AgentConfig, 'command' | 'env'>,
  { cwd, home, loginEnvironment }: LookupOptions,
): Promise<ProgramLookup> {
  const login = await loginEnvironment?.();
  const own = childEnvironment([env]);
  const withLogin = login && childEnvironment([login, env]);
  const paths = {
    path: pathIn(own),
    loginPath: withLogin && pathIn(withLogin),
    loginFailed:
      loginEnvironment !== undefined && login === undefined && process.platform !== 'win32',
  };
  if (/[\\/]/.test(command)) {
    const file = path.resolve(cwd ?? process.cwd(), command);
    return (await isProgram(file))
      ? { ...paths, program: await inspectProgram(file, 'settings', [env]) }
      : { ...paths, ...((await isThere(file)) && { refused: file }) };
  }
  const found = await findProgram(command, [paths.path]);
  if (found !== undefined) {
    return { ...paths, program: await inspectProgram(found, 'path', [env]) };
  }
  const foundByLogin = login && (await findProgram(command, [paths.loginPath]));
  if (login !== undefined && foundByLogin !== undefined) {
    return { ...paths, program: await inspectProgram(foundByLogin, 'loginPath', [login, env]) };
  }
  const refused = await firstThere(placesOfProgram(command, [paths.path, paths.loginPath]));
  const elsewhere = await findElsewhere(command, home, own);
  return {
    ...paths,
    ...(refused !== undefined && { refused }),
    ...(elsewhere !== undefined && { elsewhere }),
  };
}

async function inspectProgram(
  file: string,
  through: FoundProgram['through'],
  environments: readonly Environment[],
): Promise<FoundProgram> {
  const realPath = await realpath(file).catch(() => file);
  const [interpreter, found] = await Promise.all([
    findInterpreter(realPath),
    findPackage(realPath),
  ]);
  const manager = findManager(file, realPath);
  const lacksInterpreter = interpreter !== undefined && !(await isFound(interpreter, environments));
  return {
    ...{ file, realPath, through, environments, lacksInterpreter },
    ...(manager !== undefined && { manager }),
    ...(found && { package: found }),
    ...(interpreter && { interpreter }),
  };
}

async function isFound(
  { program }: Interpreter,
  environments: readonly Environment[],
): Promise<boolean> {
  return /[\\/]/.test(program)
    ? isProgram(program)
    : (await findProgram(program, [pathIn(childEnvironment(environments))])) !== undefined;
}

/** The variable PATH, which Windows may spell in another way. */
export function pathIn(environment: Environment): string | undefined {
  const name = Object.keys(environment).find((key) =>
    process.platform === 'win32' ? key.toUpperCase() === 'PATH' : key === 'PATH',
  );
  return name === undefined ? undefined : environment[name];
}

async function firstThere(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (await isThere(file)) {
      return file;
    }
  }
  return undefined;
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
