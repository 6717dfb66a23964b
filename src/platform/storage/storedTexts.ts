import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { FileLock, sweepLocks } from '../../model/files/fileLock';
import { whileHeld } from '../../model/files/heldFiles';
import { readRegularFile } from '../../model/files/regularFile';
import { replaceFile } from '../../model/files/wholeFiles';
import type { StoredTexts } from '../../model/ports';

/** Maximum size by default; a larger file isn't ours. */
const usualBytes = 4 * 1024 * 1024;
const maxFiles = 1000;
const lockName = '.lock';
/** The pause between two looks at a lock that another window holds, in ms. */
const lookMs = 20;
/** A window that holds its lock for longer, in ms, no longer keeps others waiting. */
const maxLockedMs = 2000;
const ownName = /^([\da-f]{64})\.json$/;

/** The drafts folder of the workspace; windows without a folder share one. */
export function draftsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'drafts');
}

/** The folder in which a window leaves which sessions were read when it closed. */
export function readFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'read');
}

/** What the transcripts of this workspace say of turns and no agent replays. */
export function turnsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'turns');
}

/**
 * The comments on lines of a workspace's files. It isn't in the workspace's storage: each of two windows of one folder has
 * a storage of its own there.
 */
export function commentsFolder(
  { globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>,
  {
    workspaceFile,
    workspaceFolders,
  }: Pick<typeof vscode.workspace, 'workspaceFile' | 'workspaceFolders'>,
): string {
  const place = workspaceFile ?? workspaceFolders?.[0]?.uri;
  const name = createHash('sha256').update(String(place)).digest('hex');
  return path.join(globalStorageUri.fsPath, 'comments', name);
}

/** Texts in a folder of the extension, one file each. The folder is created with the first text. */
export class FolderOfTexts implements StoredTexts {
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor(folder: string, maxBytes = usualBytes) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** `undefined` if there is none that can be read. Never rejects. */
  async read(name: string): Promise<string | undefined> {
    const bounds = { maxBytes: this.#maxBytes, follows: false };
    return readRegularFile(this.getFile(name), bounds).then(String, () => undefined);
  }

  /** The names of all texts, in no order. Never rejects. */
  async names(): Promise<readonly string[]> {
    const files = await readdir(this.#folder).catch(() => []);
    return files.flatMap((file) => ownName.exec(file)?.[1] ?? []);
  }

  async readAll(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const name of (await this.names()).slice(0, maxFiles)) {
      const text = await this.read(name);
      if (text !== undefined) {
        texts.set(name, text);
      }
    }
    return texts;
  }

  /** Replaces the text as a whole: the process may end at any moment, and other windows may write the same one. */
  async write(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.getFile(name), text);
  }

  async remove(name: string): Promise<void> {
    await whileHeld(() => rm(this.getFile(name), { force: true }));
  }

  /**
   * Does something while no other window does, so that what it reads is what it replaces; but for `maxLockedMs` at most it
   * waits for another one. A process calls it again only after the work is over. Rejects as the work does, or if the
   * folder can't be made.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    sweepLocks(this.#folder, lockName);
    const lock = new FileLock(path.join(this.#folder, lockName), '0');
    const began = performance.now();
    while (lock.take() === 'busy' && performance.now() - began < maxLockedMs) {
      await pause(lookMs);
    }
    try {
      return await work();
    } finally {
      lock.dispose();
    }
  }

  /** The file of a text, which there may not be. */
  getFile(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}
