import { readFile, stat as statOf } from 'node:fs/promises';
import path from 'node:path';

/**
 * A stub of VS Code's API for the soak test: as much as a transcript's tab and the reading of files need, without a
 * window. Files are read from the machine's disk.
 */

const none = { dispose: () => undefined };
const never = () => none;
const nobody = () => Promise.resolve(undefined);

export class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly authority = '';

  private constructor(scheme: string, file: string) {
    this.scheme = scheme;
    this.path = file;
  }

  get fsPath(): string {
    return this.path;
  }

  static file(file: string): Uri {
    return new Uri('file', file);
  }

  static from(parts: { readonly scheme: string; readonly path?: string }): Uri {
    return new Uri(parts.scheme, parts.path ?? '');
  }

  static parse(text: string): Uri {
    const { protocol, pathname } = new URL(text);
    return new Uri(protocol.slice(0, -1), decodeURIComponent(pathname));
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri(base.scheme, path.posix.join(base.path, ...parts));
  }

  toString(): string {
    return `${this.scheme}://${encodeURI(this.path)}`;
  }
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export enum FileType {
  Unknown = 0,
  File = 1,
  Directory = 2,
  SymbolicLink = 64,
}

/** No tab has an input. */
class NoInput {
  readonly uri = undefined;
}

export {
  NoInput as TabInputCustom,
  NoInput as TabInputNotebook,
  NoInput as TabInputText,
  NoInput as TabInputTextDiff,
};

const fs = {
  stat: async ({ path: file }: Uri) => {
    const found = await statOf(file).catch(() => {
      throw new FileSystemError('FileNotFound');
    });
    const { size, mtimeMs: mtime, ctimeMs: ctime } = found;
    const type = found.isFile() ? FileType.File : FileType.Unknown;
    return { type: found.isDirectory() ? FileType.Directory : type, size, mtime, ctime };
  },
  readFile: ({ path: file }: Uri) => readFile(file),
};

export const workspace = {
  fs,
  isTrusted: true,
  textDocuments: [],
  onDidChangeTextDocument: never,
  workspaceFolders: [],
  decode: (bytes: Uint8Array) => Promise.resolve(new TextDecoder().decode(bytes)),
  encode: (text: string) => Promise.resolve(new TextEncoder().encode(text)),
  getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
  onDidChangeConfiguration: never,
  onDidCloseTextDocument: never,
  onDidSaveTextDocument: never,
  createFileSystemWatcher: () => ({
    ...none,
    onDidCreate: never,
    onDidChange: never,
    onDidDelete: never,
  }),
  registerFileSystemProvider: never,
  asRelativePath: String,
  onDidChangeWorkspaceFolders: never,
  registerTextDocumentContentProvider: never,
};

export const window = {
  tabGroups: { all: [] },
  showErrorMessage: nobody,
  showWarningMessage: nobody,
  showInformationMessage: nobody,
};

export const env = { language: 'en' };
export const l10n = { bundle: undefined };
export const commands = { executeCommand: nobody };
