import { cleanText } from '../../../model/text/titles';
import { literalLine } from '../../../shared/literal';
import { asArray, asString, isObject, type JsonObject, parseJson } from '../../../util/json';
import { isPlainName } from '../../../util/plainName';
import { isExactVersion, readSpec } from './packageSpec';
import { isOwnMachine } from './registryAddress';
import {
  type RegistryAgent,
  type RegistryBinary,
  type RegistryPackage,
  type Runner,
  runners,
  type Target,
  targets,
} from './registryAgent';
import { isReservedVariable } from './reservedVariables';

/** Entries, and arguments or variables of each, beyond which nothing is read. */
export const maxEntries = 500;
const maxParts = 50;
/** UTF-16 units of an argument, a value or an address. */
const maxPartLength = 1000;

/** The agents of a registry that could be read, and what is wrong with each other entry, for the log. */
export interface ReadRegistry {
  readonly agents: readonly RegistryAgent[];
  readonly leftOut: readonly string[];
}

class EntryFault extends Error {}

/** Reads a registry entry by entry; `undefined` if the text isn't a registry at all. */
export function readRegistry(text: string): ReadRegistry | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value['agents'])) {
    return undefined;
  }
  const entries: readonly unknown[] = value['agents'];
  const agents = new Map<string, RegistryAgent>();
  const leftOut: string[] = [];
  for (const [index, entry] of entries.slice(0, maxEntries).entries()) {
    try {
      const agent = readAgent(entry);
      if (agents.has(agent.id)) {
        throw new EntryFault('its id is that of an earlier entry');
      }
      agents.set(agent.id, agent);
    } catch (error) {
      if (!(error instanceof EntryFault)) {
        throw error;
      }
      const id = isObject(entry) ? cleanText(asString(entry['id']) ?? '', 60) : '';
      leftOut.push(`entry ${index + 1} (${id}): ${error.message}`);
    }
  }
  if (entries.length > maxEntries) {
    leftOut.push(`${entries.length - maxEntries} entries after the first ${maxEntries}`);
  }
  return { agents: [...agents.values()], leftOut };
}

function readAgent(entry: unknown): RegistryAgent {
  if (!isObject(entry)) {
    throw new EntryFault('it is no object');
  }
  const id = required(entry, 'id');
  if (!/^[a-z][a-z0-9-]{0,59}$/.test(id)) {
    throw new EntryFault('its id has other characters than a-z, 0-9 and -, or is too long');
  }
  const version = required(entry, 'version');
  if (!/^\d+\.\d+\.\d+(?:[-+.][0-9a-z.+-]*)?$/i.test(version) || version.length > 60) {
    throw new EntryFault('its version is none');
  }
  const { distribution } = entry;
  if (!isObject(distribution)) {
    throw new EntryFault('"distribution" is missing');
  }
  const packages = runners.flatMap((runner) => readPackage(runner, distribution[runner], version));
  const binaries = readBinaries(distribution['binary'], version);
  if (packages.length === 0 && Object.keys(binaries).length === 0) {
    throw new EntryFault('it has no distribution that is known');
  }
  return {
    id,
    name: cleaned(required(entry, 'name'), 'name', 60),
    version,
    description: cleaned(required(entry, 'description'), 'description', 300),
    authors: asArray(entry['authors'])
      .slice(0, 10)
      .map((author) => cleanText(asString(author) ?? '', 60))
      .filter((author) => author !== ''),
    license: cleanText(asString(entry['license']) ?? '', 60) || undefined,
    page: findPage(entry['website']) ?? findPage(entry['repository']),
    icon: findAddress(entry['icon'])?.href,
    packages,
    binaries,
  };
}

function required(entry: JsonObject, key: string): string {
  const value = entry[key];
  if (typeof value !== 'string' || value === '') {
    throw new EntryFault(`"${key}" is missing`);
  }
  return value;
}

function cleaned(text: string, key: string, limit: number): string {
  const clean = cleanText(text, limit);
  if (clean === '') {
    throw new EntryFault(`"${key}" has nothing to show`);
  }
  return clean;
}

/** A page is only opened by a click, and must be what it looks like. */
function findPage(value: unknown): string | undefined {
  const url = findAddress(value);
  return url?.protocol === 'https:' ? url.href : undefined;
}

/** An address to read from; one on this machine is checked again before it is asked. */
function findAddress(value: unknown): URL | undefined {
  const text = asString(value);
  if (text === undefined || text.length > maxPartLength || !URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || isOwnMachine(url);
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

function readPackage(runner: Runner, value: unknown, version: string): RegistryPackage[] {
  if (value === undefined) {
    return [];
  }
  if (!isObject(value)) {
    throw new EntryFault(`"${runner}" is no object`);
  }
  const spec = readSpec(runner, plain(value['package'], `${runner}.package`));
  if (spec === undefined) {
    throw new EntryFault(`"${runner}.package" isn't a package with an exact version`);
  }
  if (spec.version === undefined && !isExactVersion(runner, version)) {
    throw new EntryFault(`"${runner}.package" has no version that could be kept`);
  }
  const cmd = value['cmd'] === undefined ? undefined : plain(value['cmd'], `${runner}.cmd`);
  if (cmd !== undefined && !/^[\w@][\w@.+-]*$/.test(cmd)) {
    throw new EntryFault(`"${runner}.cmd" isn't the name of a program`);
  }
  const { env, refusedEnv } = readEnv(value['env'], `${runner}.env`);
  return [
    {
      runner,
      name: spec.name,
      version: spec.version ?? version,
      cmd,
      args: readArgs(value['args'], `${runner}.args`),
      env,
      refusedEnv,
    },
  ];
}

function readBinaries(value: unknown, version: string): RegistryAgent['binaries'] {
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new EntryFault('"binary" is no object');
  }
  return Object.fromEntries(
    targets.flatMap((target): [Target, RegistryBinary][] =>
      value[target] === undefined
        ? []
        : [[target, readBinary(value[target], `binary.${target}`, version)]],
    ),
  );
}

/** Reads what was stored with an installed program; `undefined` if someone has changed it. */
export function readInstalled(
  value: JsonObject,
  version: string | undefined,
): RegistryBinary | undefined {
  try {
    return version === undefined ? undefined : readBinary(value, 'installed', version);
  } catch (error) {
    if (error instanceof EntryFault) {
      return undefined;
    }
    throw error;
  }
}

function readBinary(value: unknown, where: string, version: string): RegistryBinary {
  if (!isObject(value)) {
    throw new EntryFault(`"${where}" is no object`);
  }
  const archive = findAddress(value['archive'])?.href;
  if (archive === undefined) {
    throw new EntryFault(`"${where}.archive" isn't an address that begins with https://`);
  }
  const sha256 = value['sha256'] ?? undefined;
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[\da-f]{64}$/i.test(sha256))) {
    throw new EntryFault(`"${where}.sha256" is no SHA-256`);
  }
  return {
    version,
    archive,
    sha256: sha256?.toLowerCase(),
    cmd: readCmd(plain(value['cmd'], `${where}.cmd`), `${where}.cmd`),
    args: readArgs(value['args'], `${where}.args`),
    ...readEnv(value['env'], `${where}.env`),
  };
}

/** A path inside of the archive; each of its names stands for itself on every system. */
function readCmd(text: string, where: string): readonly string[] {
  const names = text.replace(/^\.[\\/]/, '').split(/[\\/]/);
  if (names.length > 10 || !names.every((name) => name !== '' && isPlainName(name))) {
    throw new EntryFault(`"${where}" isn't a path inside of the archive`);
  }
  return names;
}

function readArgs(value: unknown, where: string): readonly string[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value) || value.length > maxParts) {
    throw new EntryFault(`"${where}" isn't a list of at most ${maxParts} texts`);
  }
  return value.map((arg: unknown) => plain(arg, where));
}

function readEnv(value: unknown, where: string): Pick<RegistryPackage, 'env' | 'refusedEnv'> {
  if (value === undefined) {
    return { env: {}, refusedEnv: [] };
  }
  const entries = isObject(value) ? Object.entries(value) : undefined;
  if (entries === undefined || entries.length > maxParts) {
    throw new EntryFault(`"${where}" isn't a map of at most ${maxParts} texts`);
  }
  const variables = entries.map(([name, text]): [string, string] => {
    if (!/^[a-z_]\w{0,99}$/i.test(name)) {
      throw new EntryFault(`"${where}" has an invalid name`);
    }
    return [name, plain(text, where)];
  });
  return {
    env: Object.fromEntries(variables.filter(([name]) => !isReservedVariable(name))),
    refusedEnv: variables.flatMap(([name]) => (isReservedVariable(name) ? [name] : [])),
  };
}

/**
 * A text that becomes a part of a command. The user must see it as it is; and since it goes to the settings, which
 * replace `${env:…}`, it must not ask for the user's own variables.
 */
function plain(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.length > maxPartLength) {
    throw new EntryFault(`"${where}" has something else than texts, or a very long one`);
  }
  if (literalLine(value) !== value) {
    throw new EntryFault(`"${where}" has a line break or an invisible character`);
  }
  if (value.includes('${')) {
    throw new EntryFault(`"${where}" has a variable of the settings`);
  }
  return value;
}
