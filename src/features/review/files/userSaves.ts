import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { UserSave } from '../../../model/changes/userSave';
import type { OwnWrites } from '../../../platform/files/ownWrites';
import { type Disposable, DisposableStore, toDisposable } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';

/** The most that VS Code opens as text. */
const largest = 50_000_000;

/**
 * Tells what the user saves, deletes and renames in editors and the explorer of this window. What this extension
 * writes isn't the user's, nor is a document that VS Code reads again because its file has changed: VS Code doesn't
 * save it. Nothing is read while nobody listens.
 */
export class UserSaves implements Disposable {
  readonly #own: OwnWrites;
  readonly #store = new DisposableStore();
  readonly #saved = this.#store.add(new Emitter<UserSave>());
  #listeners = 0;
  /** What was on the disk before a change that is under way. */
  readonly #before = new Map<string, Promise<Uint8Array | undefined>>();

  readonly onDidUserSave: Event<UserSave> = (listener) => {
    this.#listeners += 1;
    const listening = this.#saved.event(listener);
    return toDisposable(() => {
      this.#listeners -= 1;
      listening.dispose();
    });
  };

  constructor(own: OwnWrites) {
    this.#own = own;
    const { workspace } = vscode;
    for (const listening of [
      workspace.onWillSaveTextDocument((event) => this.#remember(event, [event.document.uri])),
      workspace.onWillSaveNotebookDocument((event) => this.#remember(event, [event.notebook.uri])),
      workspace.onDidSaveTextDocument(({ uri }) => void this.#after([uri])),
      workspace.onDidSaveNotebookDocument(({ uri }) => void this.#after([uri])),
      workspace.onWillDeleteFiles((event) => this.#remember(event, event.files)),
      workspace.onDidDeleteFiles(({ files }) => void this.#after(files)),
      workspace.onWillRenameFiles((event) => this.#remember(event, getBothUris(event.files))),
      workspace.onDidRenameFiles(({ files }) => void this.#after(getBothUris(files))),
    ]) {
      this.#store.add(listening);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** VS Code waits a moment for the bytes before it replaces them. */
  #remember(
    event: { waitUntil(thenable: Thenable<unknown>): void },
    uris: readonly vscode.Uri[],
  ): void {
    const files = this.#usersFiles(uris);
    if (files.length > 0) {
      const read = files.map(async (file) => {
        const bytes = findBytes(file);
        this.#before.set(file, bytes);
        await bytes;
      });
      event.waitUntil(Promise.all(read).then(() => undefined));
    }
  }

  async #after(uris: readonly vscode.Uri[]): Promise<void> {
    for (const file of this.#usersFiles(uris)) {
      const before = this.#before.get(file);
      this.#before.delete(file);
      const after = await findBytes(file);
      this.#saved.fire({ file, before: await before, after });
    }
  }

  #usersFiles(uris: readonly vscode.Uri[]): readonly string[] {
    return this.#listeners === 0
      ? []
      : uris
          .filter(({ scheme, fsPath }) => scheme === 'file' && !this.#own.has(fsPath))
          .map(({ fsPath }) => fsPath);
  }
}

function getBothUris(
  renamed: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[],
): readonly vscode.Uri[] {
  return renamed.flatMap(({ oldUri, newUri }) => [oldUri, newUri]);
}

async function findBytes(file: string): Promise<Uint8Array | undefined> {
  try {
    const facts = await stat(file);
    return facts.isFile() && facts.size <= largest ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}
