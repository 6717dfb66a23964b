import * as vscode from 'vscode';
import { FixedFiles } from '../../../platform/files/fixedFiles';

/**
 * Gives a tab another URI, in its place and without showing it, as VS Code does with the editors of a file that is moved.
 * For that moment there is such a file: the tabs' scheme has no file system otherwise.
 */
export async function moveTab(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const file = new MovedFile(from, to);
  const registered = vscode.workspace.registerFileSystemProvider(from.scheme, file, {
    isCaseSensitive: true,
  });
  try {
    await vscode.workspace.fs.rename(from, to);
  } finally {
    registered.dispose();
    file.dispose();
  }
}

/** A file system with a single empty file, which can only be moved. */
class MovedFile extends FixedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  /** The places where the file is, or will be. */
  readonly #places: readonly vscode.Uri[];
  #uri: vscode.Uri;

  constructor(from: vscode.Uri, to: vscode.Uri) {
    super();
    this.#places = [from, to];
    this.#uri = from;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const isFile = uri.toString() === this.#uri.toString();
    if (!isFile && !this.#isFolder(uri)) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const type = isFile ? vscode.FileType.File : vscode.FileType.Directory;
    return { type, ctime: 0, mtime: 0, size: 0 };
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.stat(from);
    this.#uri = to;
  }

  readFile(): Uint8Array {
    return new Uint8Array();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #isFolder({ path }: vscode.Uri): boolean {
    return path === '/' || this.#places.some((place) => place.path.startsWith(`${path}/`));
  }
}
