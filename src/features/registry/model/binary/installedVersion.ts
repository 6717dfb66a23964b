import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../../model/files/roots';
import { asString, isObject } from '../../../../util/json';
import { readInstalled } from '../readRegistry';
import type { RegistryBinary } from '../registryAgent';

/** A program of the registry that is installed here. */
export interface InstalledVersion {
  readonly id: string;
  /** The name of its folder, below the agent's. */
  readonly name: string;
  readonly binary: RegistryBinary;
  /** The program and its arguments. */
  readonly command: readonly string[];
}

const recordName = 'install.json';
const filesName = 'files';
const maxRecordBytes = 256 * 1024;

/** The parts of an installed version, below a folder of its own. */
export const versionParts = { record: recordName, files: filesName } as const;

/** No version has it, so the version ends there. */
const afterVersion = '_';
const digestLength = 16;

/** Describes what the user agrees to about a program: where it is from, which bytes it has, and how it is run. */
function getAgreedText({ version, archive, sha256, cmd, args, env }: RegistryBinary): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([version, archive, sha256 ?? null, cmd, args, variables]);
}

/** Whether the same is agreed to with both programs. */
export function isSameBinary(one: RegistryBinary, other: RegistryBinary): boolean {
  return getAgreedText(one) === getAgreedText(other);
}

/** The name of the folder that a program is installed in: others of the same version have other ones. */
export function versionName(binary: RegistryBinary): string {
  const digest = createHash('sha256').update(getAgreedText(binary)).digest('hex');
  return `${binary.version}${afterVersion}${digest.slice(0, digestLength)}`;
}

/** The folder in which what has this name is, or would be, installed. */
export function versionFolder(agents: string, id: string, name: string): string {
  return path.join(agents, id, name);
}

/** The command that starts an installed version. */
export function installedCommand(
  agents: string,
  id: string,
  binary: RegistryBinary,
): readonly string[] {
  return commandIn(versionFolder(agents, id, versionName(binary)), binary);
}

function commandIn(folder: string, { cmd, args }: RegistryBinary): readonly string[] {
  return [path.join(folder, filesName, ...cmd), ...args];
}

/** The agent that a command runs, its version and the name of its folder, if it is one that was installed here. */
export function installedRunBy(
  command: string,
  agents: string,
): { readonly id: string; readonly version: string; readonly name: string } | undefined {
  if (!path.isAbsolute(command) || !isInside(command, [agents])) {
    return undefined;
  }
  const [id, name, files] = path.relative(agents, command).split(path.sep);
  if (id === undefined || name === undefined || files !== filesName) {
    return undefined;
  }
  const [version = ''] = name.split(afterVersion);
  return { id, version, name };
}

/**
 * Reads what is installed in the folder of this name; `undefined` if it isn't there as a whole, or isn't what the name
 * says. The folders of earlier releases have only the version for a name.
 */
export async function readInstalledVersion(
  agents: string,
  id: string,
  name: string,
): Promise<InstalledVersion | undefined> {
  const folder = versionFolder(agents, id, name);
  try {
    const file = path.join(folder, recordName);
    if ((await stat(file)).size > maxRecordBytes) {
      return undefined;
    }
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const binary = isObject(value) ? readInstalled(value, asString(value['version'])) : undefined;
    if (binary === undefined || (name !== versionName(binary) && name !== binary.version)) {
      return undefined;
    }
    const command = commandIn(folder, binary);
    const root = await realpath(path.join(folder, filesName));
    return isInside(await realpath(command[0] ?? ''), [root])
      ? { id, name, binary, command }
      : undefined;
  } catch {
    return undefined;
  }
}
