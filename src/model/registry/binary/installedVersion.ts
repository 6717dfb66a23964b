import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { asString, isObject } from '../../../util/json';
import { isInside } from '../../files/roots';
import { readInstalled } from '../readRegistry';
import type { RegistryBinary } from '../registryAgent';

/** A program of the registry that is installed here. */
export interface InstalledVersion {
  readonly id: string;
  readonly binary: RegistryBinary;
  /** The program and its arguments. */
  readonly command: readonly string[];
}

const recordName = 'install.json';
const filesName = 'files';
const mostRecordBytes = 256 * 1024;

/** Where the parts of an installed version are, below a folder of its own. */
export const versionParts = { record: recordName, files: filesName } as const;

/** Where a version of an agent is, or would be, installed. */
export function versionFolder(agents: string, id: string, version: string): string {
  return path.join(agents, id, version);
}

/** The command that starts an installed version. */
export function installedCommand(
  agents: string,
  id: string,
  { version, cmd, args }: Pick<RegistryBinary, 'version' | 'cmd' | 'args'>,
): readonly string[] {
  return [path.join(versionFolder(agents, id, version), filesName, ...cmd), ...args];
}

/** The agent and the version that a command runs, if it is one that was installed here. */
export function installedRunBy(
  command: string,
  agents: string,
): { readonly id: string; readonly version: string } | undefined {
  if (!path.isAbsolute(command) || !isInside(command, [agents])) {
    return undefined;
  }
  const [id, version, files] = path.relative(agents, command).split(path.sep);
  return id !== undefined && version !== undefined && files === filesName
    ? { id, version }
    : undefined;
}

/** Reads what is installed; `undefined` if it isn't there as a whole. */
export async function readInstalledVersion(
  agents: string,
  id: string,
  version: string,
): Promise<InstalledVersion | undefined> {
  const folder = versionFolder(agents, id, version);
  try {
    const file = path.join(folder, recordName);
    if ((await stat(file)).size > mostRecordBytes) {
      return undefined;
    }
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const binary = isObject(value) ? readInstalled(value, asString(value['version'])) : undefined;
    if (binary?.version !== version) {
      return undefined;
    }
    const command = installedCommand(agents, id, binary);
    const root = await realpath(path.join(folder, filesName));
    return isInside(await realpath(command[0] ?? ''), [root]) ? { id, binary, command } : undefined;
  } catch {
    return undefined;
  }
}
