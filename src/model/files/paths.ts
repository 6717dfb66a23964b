import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SessionInfo } from '../../protocol/agentConnection';
import type { RealPath } from '../ports';
import { isInside } from './roots';
import { isOnDrive, ownDistro, withoutShare } from './wslPaths';

/**
 * Agents compare folders byte by byte, so two spellings of a folder look like two folders (T-1).
 * This module derives all spellings worth asking with, and a common form in which two paths can be
 * compared.
 */

const driveLetter = /^[A-Za-z](?=:)/;
/** The folder into which `/tmp`, `/var` and `/etc` are links on macOS. */
const privatePath = /^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/;
const publicPath = /^\/(?:tmp|var|etc)(?=\/|$)/;
const maxPathLength = 4_096;
const maxAnswers = 10_000;
/** Folders of one page that are looked up on disk; further ones are only compared. */
const maxLookups = 1_000;

/** The spellings of a folder to ask an agent with, each once, the original first. */
export async function getSpellings(folder: string, realPath: RealPath): Promise<readonly string[]> {
  const real = await realPath(folder);
  const bases = real === undefined ? [folder] : [folder, real];
  return [...new Set([...bases, ...bases.flatMap(otherSpellings)])];
}

function otherSpellings(folder: string): readonly string[] {
  if (driveLetter.test(folder)) {
    return [
      folder.replace(driveLetter, (letter) => letter.toUpperCase()),
      folder.replace(driveLetter, (letter) => letter.toLowerCase()),
    ];
  }
  if (privatePath.test(folder)) {
    return [folder.replace(privatePath, '')];
  }
  return publicPath.test(folder) ? [`/private${folder}`] : [];
}

/**
 * A path in comparable form: without `.`, `..`, doubled or trailing separators; Windows paths also
 * with backslashes only and in lower case. In WSL, drives of Windows are in lower case, too, and
 * Windows' names for files of this distribution become its own. Handles text only and resolves no
 * links.
 */
export function comparablePath(text: string): string {
  const distro = ownDistro();
  const named = distro === undefined ? text : withoutShare(text, distro);
  if (isWindowsPath(named)) {
    const folder = path.win32.normalize(named).toLowerCase().normalize('NFC');
    return trimEnd(folder, '\\', 3);
  }
  const folder = path.posix.normalize(named).normalize('NFC').replace(privatePath, '');
  const cased = distro !== undefined && isOnDrive(folder) ? folder.toLowerCase() : folder;
  return trimEnd(cased, '/', 1);
}

function isWindowsPath(text: string): boolean {
  return /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/.test(text);
}

function trimEnd(folder: string, separator: string, least: number): string {
  return folder.length > least && folder.endsWith(separator) ? folder.slice(0, -1) : folder;
}

/**
 * Finds the sessions that belong to a folder: those with the folder as `cwd` or as an additional
 * root (DIR-8, LIST-20), in any spelling.
 */
export class FolderMatcher {
  readonly #folder: string;
  readonly #realPath: RealPath;
  #accepted: Promise<ReadonlySet<string>> | undefined;
  /** Results by path as received; all are dropped when there are too many. */
  readonly #answers = new Map<string, boolean>();

  constructor(folder: string, realPath: RealPath) {
    this.#folder = folder;
    this.#realPath = realPath;
  }

  /** The sessions of this folder, in the given order. */
  async filter(sessions: readonly SessionInfo[]): Promise<readonly SessionInfo[]> {
    if (this.#answers.size > maxAnswers) {
      this.#answers.clear();
    }
    const isUnknown = (root: string): boolean => !this.#answers.has(root);
    const unknown = sessions.filter((session) => someRoot(session, isUnknown)).flatMap(getRoots);
    if (unknown.length > 0) {
      await this.#learn([...new Set(unknown)].filter(isUnknown));
    }
    const isOurs = (root: string): boolean => this.#answers.get(root) === true;
    return sessions.filter((session) => someRoot(session, isOurs));
  }

  async #learn(unknown: readonly string[]): Promise<void> {
    this.#accepted ??= this.#acceptedForms();
    const accepted = await this.#accepted;
    const answers = await Promise.all(
      unknown.map((root, index) => this.#matches(root, accepted, index < maxLookups)),
    );
    unknown.forEach((root, index) => this.#answers.set(root, answers[index] === true));
  }

  async #acceptedForms(): Promise<ReadonlySet<string>> {
    const spellings = await getSpellings(this.#folder, this.#realPath);
    return new Set(spellings.map(comparablePath));
  }

  async #matches(root: string, accepted: ReadonlySet<string>, mayLook: boolean): Promise<boolean> {
    if (accepted.has(comparablePath(root))) {
      return true;
    }
    if (!mayLook || !mayResolve(root)) {
      return false;
    }
    const real = await this.#realPath(root);
    return real !== undefined && accepted.has(comparablePath(real));
  }
}

function someRoot(session: SessionInfo, is: (root: string) => boolean): boolean {
  return is(session.cwd) || session.additionalDirectories.some(is);
}

function getRoots(session: SessionInfo): readonly string[] {
  return [session.cwd, ...session.additionalDirectories];
}

/**
 * Resolving a path that an agent names must not leave this machine: a Windows network path would
 * send the user's credentials to the host in it.
 */
export function mayResolve(root: string): boolean {
  return (
    root.length <= maxPathLength &&
    !root.includes('\0') &&
    (driveLetter.test(root) || /^\/(?![\\/])/.test(root))
  );
}

/**
 * The root of a drive, the home folder or a folder around it: too much to open on an agent's word.
 */
export function isRootLike(folder: string): boolean {
  const plain = path.normalize(folder);
  return (
    path.parse(folder).root === plain ||
    mountedDrive.test(plain) ||
    homes().some((home) => isInside(home, [folder]))
  );
}

/** Folders in which systems mount drives: those of Windows under WSL, those of macOS, and others of Linux. */
const mountedDrive =
  /^\/(?:mnt(?:\/[^/]+)?|Volumes(?:\/[^/]+)?|(?:run\/)?media(?:\/[^/]+){0,2})\/?$/;

/** The home folder as it is called, and where it really is. */
function homes(): readonly string[] {
  const home = os.homedir();
  try {
    return [home, realpathSync(home)];
  } catch {
    return [home];
  }
}
