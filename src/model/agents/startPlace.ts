import path from 'node:path';
import { findPackageRun, type PackageRun } from '../../util/process/packageRunners';
import type { AgentConfig } from '../ports';

/** The folder where an agent's program starts, and its arguments. */
export interface StartPlace {
  readonly cwd: string | undefined;
  readonly args: readonly string[];
  /** Present if the command fetches a package and runs a program of it. */
  readonly packageRun?: PackageRun;
}

/**
 * An agent starts in the folder of its settings, otherwise in the first of the workspace. One that a package manager
 * fetches starts in `launchFolder` instead: in a project, the project's files would decide from where its code comes
 * and whether it starts at all. Which folder a session is about is said by the protocol alone (NEW-6).
 */
export function startPlace(
  { command, args, cwd }: Pick<AgentConfig, 'command' | 'args' | 'cwd'>,
  folder: string | undefined,
  launchFolder: string,
): StartPlace {
  const packageRun = findPackageRun(command, args);
  if (packageRun === undefined) {
    return { cwd: cwd ?? folder, args };
  }
  // The user's own choice, for a package of that folder, say.
  if (cwd !== undefined || isRelative(command)) {
    return { cwd: cwd ?? folder, args, packageRun };
  }
  return { cwd: launchFolder, args: args.map((arg) => fromFolder(arg, folder)), packageRun };
}

function isRelative(command: string): boolean {
  return /[\\/]/.test(command) && !path.isAbsolute(command);
}

const relative = /^((?:--?[\w-]+=)?(?:file:)?)(\.{1,2}(?:[\\/].*)?)$/s;

/** A path that begins with a dot means the folder in which any other program would start. */
function fromFolder(arg: string, folder: string | undefined): string {
  const [, before, place] = relative.exec(arg) ?? [];
  return folder === undefined || before === undefined || place === undefined
    ? arg
    : `${before}${path.resolve(folder, place)}`;
}
