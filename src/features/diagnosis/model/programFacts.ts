import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readBeginning, readRegularFile } from '../../../model/files/regularFile';
import { compareNumbers } from '../../../util/compareNumbers';
import { isObject, type JsonObject } from '../../../util/json';
import type { Environment } from '../../../util/process/environment';
import { findProgram } from '../../../util/process/findProgram';

/** Bytes of a program that are read to see what runs it; the scripts that npm writes for Windows are shorter. */
const beginning = 2048;
const maxManifest = 256 * 1024;
/** Levels above a program at which its package is looked for. */
const maxLevels = 8;
const maxText = 200;

/** What runs a script. */
export interface Interpreter {
  /** The program as in the first line of a script: an absolute path, or the name that `env` looks up. */
  readonly program: string;
  readonly isNode: boolean;
}

/** The interpreter of a script, by its first line, or by the name of Node in a script of npm for Windows. */
export async function findInterpreter(file: string): Promise<Interpreter | undefined> {
  const text = await readBeginning(file, beginning).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
  if (/\.(?:cmd|bat)$/i.test(file)) {
    return /\bnode(?:\.exe)?\b/i.test(text) ? { program: 'node', isNode: true } : undefined;
  }
  const [first = '', ...words] = (/^#![ \t]*([^\r\n]*)/.exec(text)?.[1] ?? '').trim().split(/\s+/);
  if (first === '') {
    return undefined;
  }
  const program =
    path.posix.basename(first) === 'env'
      ? (words.find((word) => !word.startsWith('-') && !word.includes('=')) ?? first)
      : first;
  return { program, isNode: path.posix.basename(program) === 'node' };
}

/** The npm package that a program belongs to. */
export interface PackageFacts {
  readonly name: string;
  readonly version?: string;
  /** The versions of Node that it needs, as in its `engines`. */
  readonly node?: string;
}

/** Reads the nearest package.json with a name above a file. */
export async function findPackage(file: string): Promise<PackageFacts | undefined> {
  let folder = path.dirname(file);
  for (let level = 0; level < maxLevels; level++) {
    const manifest = await readManifest(path.join(folder, 'package.json'));
    const name = textIn(manifest, 'name');
    if (manifest !== undefined && name !== undefined) {
      const version = textIn(manifest, 'version');
      const { engines } = manifest;
      const node = isObject(engines) ? textIn(engines, 'node') : undefined;
      return {
        name,
        ...(version !== undefined && { version }),
        ...(node !== undefined && { node }),
      };
    }
    folder = path.dirname(folder);
  }
  return undefined;
}

async function readManifest(file: string): Promise<JsonObject | undefined> {
  try {
    const bytes = await readRegularFile(file, { maxBytes: maxManifest });
    const manifest: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' && value !== '' ? value.slice(0, maxText) : undefined;
}

/**
 * Whether a version of Node is older than the one that a package needs; `false` if its `engines` say more than a
 * lowest version.
 */
export function isOlder(version: string, engines: string): boolean {
  const lowest = /^\s*(?:>=|\^)\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?[\s\w.]*$/.exec(engines);
  const own = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (lowest === null || own === null) {
    return false;
  }
  const numbers = ([, ...parts]: readonly (string | undefined)[]): number[] =>
    parts.map((part) => Number(part ?? 0));
  return compareNumbers(numbers(own), numbers(lowest)) < 0;
}

/** What installs programs and versions of Node, by the folders that it uses. */
const managers: readonly (readonly [RegExp, string])[] = [
  [/[\\/]\.?nvm[\\/]/i, 'nvm'],
  [/[\\/](?:\.?fnm|fnm_multishells)[\\/]/i, 'fnm'],
  [/[\\/]\.?volta[\\/]/i, 'Volta'],
  [/[\\/]\.asdf[\\/]/, 'asdf'],
  [/[\\/]mise[\\/]/, 'mise'],
  [/[\\/]\.nodenv[\\/]/, 'nodenv'],
  [/[\\/](?:homebrew|linuxbrew|Cellar)[\\/]/, 'Homebrew'],
  [/[\\/]\.bun[\\/]/, 'Bun'],
  [/[\\/]scoop[\\/]/i, 'Scoop'],
  [/^\/snap\//, 'Snap'],
];

/** The name of the program that has installed this one, as far as its path tells. */
export function findManager(...files: readonly string[]): string | undefined {
  return managers.find(([folders]) => files.some((file) => folders.test(file)))?.[1];
}

/** Folders below the user's where programs are often installed without being on the PATH of a desktop. */
const usualBelowHome = [
  '.local/bin',
  '.npm-global/bin',
  '.volta/bin',
  '.bun/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.nodenv/shims',
  '.cargo/bin',
  'scoop/shims',
];
const usual = [
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/snap/bin',
];
/** Folders with one folder for each version of Node, and where its programs are below that. */
const versionFolders = [
  ['.nvm/versions/node', 'bin'],
  ['.local/share/fnm/node-versions', 'installation/bin'],
  ['Library/Application Support/fnm/node-versions', 'installation/bin'],
] as const;
const maxVersions = 50;

/** A program of this name outside of the PATH, where such programs are often installed. */
export async function findElsewhere(
  name: string,
  home: string,
  environment: Environment,
): Promise<string | undefined> {
  const versions = await Promise.all(
    versionFolders.map(async ([folder, below]) => {
      const parent = path.join(home, folder);
      const names = await readdir(parent).catch(() => []);
      return names.slice(0, maxVersions).map((version) => path.join(parent, version, below));
    }),
  );
  const { APPDATA: roaming, LOCALAPPDATA: local, ProgramFiles: programs } = environment;
  const onWindows = [
    roaming && path.join(roaming, 'npm'),
    local && path.join(local, 'Volta', 'bin'),
    programs && path.join(programs, 'nodejs'),
  ];
  const folders = [
    ...usualBelowHome.map((folder) => path.join(home, folder)),
    ...versions.flat(),
    ...usual,
    ...onWindows,
  ];
  return findProgram(name, folders);
}
