import fs from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { FileType } from './enums';
import { Disposable } from './events';
import { FileSystemError } from './values';

interface Provided {
  readonly provider: vscode.FileSystemProvider;
  readonly isReadonly: boolean;
}

const providers = new Map<string, Provided>();

export function registerFileSystemProvider(
  scheme: string,
  provider: vscode.FileSystemProvider,
  options?: { readonly isReadonly?: boolean | vscode.MarkdownString },
): Disposable {
  providers.set(scheme, { provider, isReadonly: Boolean(options?.isReadonly) });
  return new Disposable(() => providers.delete(scheme));
}

/** The machine's disk, and what the extension provides. */
export const fileSystem = {
  stat: async (uri) => {
    const provided = providers.get(uri.scheme);
    if (provided !== undefined) {
      return provided.provider.stat(uri);
    }
    const {
      size,
      mtimeMs: mtime,
      ctimeMs: ctime,
      ...found
    } = await onDisk(uri, (file) => fs.stat(file));
    const isLink = await onDisk(uri, (file) => fs.lstat(file)).then((own) => own.isSymbolicLink());
    const kind = found.isFile()
      ? FileType.File
      : found.isDirectory()
        ? FileType.Directory
        : FileType.Unknown;
    return { type: isLink ? kind | FileType.SymbolicLink : kind, size, mtime, ctime };
  },
  readFile: async (uri) =>
    (await providers.get(uri.scheme)?.provider.readFile(uri)) ??
    onDisk(uri, (file) => fs.readFile(file)),
  writeFile: (uri, content) =>
    onDisk(uri, async (file) => {
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(file, content);
    }),
  delete: (uri, options) =>
    onDisk(uri, (file) => fs.rm(file, { recursive: options?.recursive ?? false })),
  createDirectory: (uri) =>
    onDisk(uri, async (file) => {
      await fs.mkdir(file, { recursive: true });
    }),
  isWritableFileSystem: (scheme) => {
    const provided = providers.get(scheme);
    return provided === undefined ? (scheme === 'file' ? true : undefined) : !provided.isReadonly;
  },
} satisfies Partial<vscode.FileSystem>;

async function onDisk<T>(uri: vscode.Uri, act: (file: string) => Promise<T>): Promise<T> {
  if (uri.scheme !== 'file') {
    throw FileSystemError.Unavailable(uri);
  }
  return act(uri.fsPath).catch((error: unknown) => {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
        throw FileSystemError.FileNotFound(uri);
      case 'EISDIR':
        throw FileSystemError.FileIsADirectory(uri);
      case 'ENOTDIR':
        throw FileSystemError.FileNotADirectory(uri);
      case 'EACCES':
      case 'EPERM':
        throw FileSystemError.NoPermissions(uri);
      default:
        throw error;
    }
  });
}
