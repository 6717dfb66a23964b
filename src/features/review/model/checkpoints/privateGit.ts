import { randomBytes, randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from '../../../../model/files/heldFiles';
import { readRegularFile } from '../../../../model/files/regularFile';
import { createFile, replaceFile } from '../../../../model/files/wholeFiles';
import { isObject } from '../../../../util/json';
import type { Environment } from '../../../../util/process/environment';
import type { ObjectFormat } from './gitIndex';
import type { UserFacts } from './userGit';

/** A git directory of ours, for one folder. */
export interface PrivateGit {
  readonly directory: string;
  readonly format: ObjectFormat;
  /** What is recorded instead of a content that Git LFS stores elsewhere begins with this. */
  readonly filteredMark: string;
}

export interface PrivateGitFacts {
  readonly directory: string;
  /** The recorded folder, or a folder around it. */
  readonly top: string;
  readonly user: UserFacts;
}

const version = 1;
/** Git for Windows knows this name, too. */
const nothing = '/dev/null';
const maxOwnFileBytes = 64 * 1024;
const maxTries = 5;

/**
 * Opens the git directory, or makes it. All its files are written here: `git init` would copy
 * templates with hooks.
 */
export async function openPrivateGit(facts: PrivateGitFacts): Promise<PrivateGit> {
  const { directory, user } = facts;
  let filteredMark = await readMark(directory, user.format);
  for (let tries = 0; tries < maxTries && filteredMark === undefined; tries++) {
    if (tries > 0) {
      // What is there can't be used. Before that, it may be what another window has made meanwhile.
      await throwAway(directory);
    }
    await make(directory, user.format);
    filteredMark = await readMark(directory, user.format);
  }
  if (filteredMark === undefined) {
    throw new Error(`${directory} can't be written`);
  }
  await replaceFile(path.join(directory, 'config'), await getConfig(facts, filteredMark));
  return { directory, format: user.format, filteredMark };
}

/** Renames the directory before removing it, so that nobody finds half of it. */
export async function throwAway(directory: string): Promise<void> {
  const gone = `${directory}.gone-${randomUUID()}`;
  try {
    await whileHeld(() => rename(directory, gone));
  } catch {
    // It doesn't exist.
  }
  await whileHeld(() => rm(gone, { recursive: true, force: true }));
}

/**
 * Lets git read another folder of objects as well. Not for commands that write: git would update the times of objects
 * that this folder has already.
 */
export function alsoReading(objects: string | undefined): Environment {
  return objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) };
}

/**
 * With these variables git reads no other configuration, attributes or index than ours: neither
 * those of the repository nor those of the user or the machine.
 */
export function getEnvironment(
  { directory }: PrivateGit,
  top: string,
  indexFile: string,
): Environment {
  return {
    GIT_DIR: directory,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: indexFile,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: nothing,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // For versions of git that don't know `GIT_CONFIG_GLOBAL`.
    HOME: directory,
    XDG_CONFIG_HOME: directory,
  };
}

/** `undefined`: there is no store, it is of another version, or parts of it are missing. */
async function readMark(directory: string, format: ObjectFormat): Promise<string | undefined> {
  try {
    for (const name of ['objects', 'refs', 'info', 'HEAD']) {
      await lstat(path.join(directory, name));
    }
    const bytes = await readRegularFile(path.join(directory, 'store.json'), {
      maxBytes: maxOwnFileBytes,
    });
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const mark = isObject(value) ? value['filteredMark'] : undefined;
    const isOurs = isObject(value) && value['version'] === version && value['format'] === format;
    return isOurs && typeof mark === 'string' && /^[0-9a-z-]{20,80}$/.test(mark) ? mark : undefined;
  } catch {
    return undefined;
  }
}

async function make(directory: string, format: ObjectFormat): Promise<void> {
  const beside = `${directory}.gone-${randomUUID()}`;
  await mkdir(path.join(beside, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(beside, 'objects', 'pack'));
  await mkdir(path.join(beside, 'refs', 'heads'), { recursive: true });
  await mkdir(path.join(beside, 'info'));
  const filteredMark = `stored-elsewhere-${randomBytes(16).toString('hex')}`;
  await createFile(path.join(beside, 'HEAD'), 'ref: refs/heads/none\n');
  await createFile(path.join(beside, 'info', 'attributes'), attributes);
  await createFile(
    path.join(beside, 'store.json'),
    JSON.stringify({ version, format, filteredMark }),
  );
  try {
    await whileHeld(() => rename(beside, directory));
  } catch {
    // Another window was quicker.
    await whileHeld(() => rm(beside, { recursive: true, force: true }));
  }
}

/**
 * These take precedence over all others, so that contents are recorded byte by byte. `filter` isn't
 * here: no filter is configured but ours for LFS, and one that isn't configured does nothing.
 */
const attributes = '* -text -crlf !eol -ident !working-tree-encoding\n';

async function getConfig({ top, user }: PrivateGitFacts, filteredMark: string): Promise<string> {
  const { platform } = process;
  const isWindows = platform === 'win32';
  const isMac = platform === 'darwin';
  return `[core]
	repositoryFormatVersion = ${user.format === 'sha1' ? 0 : 1}
	bare = false
	fileMode = ${user.fileMode ?? !isWindows}
	symlinks = ${user.symlinks ?? !isWindows}
	ignoreCase = ${await ignoresCase(top)}
	precomposeUnicode = ${isMac}
	protectHFS = ${isMac}
	protectNTFS = ${isWindows}
	longPaths = ${isWindows}
	sparseCheckout = ${user.isSparse}
	excludesFile = ${configValue(user.excludesFile)}
	attributesFile = ${nothing}
	hooksPath = ${nothing}
	autocrlf = false
	safecrlf = false
	untrackedCache = false
	splitIndex = false
	bigFileThreshold = 32m
	logAllRefUpdates = false
[index]
	version = 2
	sparse = false
	skipHash = false
[gc]
	auto = 0
[maintenance]
	auto = false
[advice]
	addEmbeddedRepo = false
[filter "lfs"]
	clean = ${configValue(`printf %s ${filteredMark} && git hash-object --stdin`)}
	required = true
${user.format === 'sha1' ? '' : '[extensions]\n\tobjectFormat = sha256\n'}`;
}

function configValue(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Quotes a file in Git's syntax for a list of object folders. */
function quoted(file: string): string {
  return file.includes(path.delimiter) || /^"|\n/.test(file)
    ? `"${file.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
    : file;
}

/** Whether this folder is found by another spelling, too. */
async function ignoresCase(folder: string): Promise<boolean> {
  const name = path.basename(folder);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  const parent = path.dirname(folder);
  if (parent === folder) {
    return process.platform === 'win32' || process.platform === 'darwin';
  }
  if (other === name) {
    return ignoresCase(parent);
  }
  try {
    const own = await lstat(folder);
    const same = await lstat(path.join(parent, other));
    return own.dev === same.dev && own.ino === same.ino;
  } catch {
    return false;
  }
}
