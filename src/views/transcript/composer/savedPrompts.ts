import path from 'node:path';
import * as vscode from 'vscode';
import { readBeginning } from '../../../model/files/regularFile';
import { cleanText } from '../../../model/text/titles';
import { readFrontMatter } from '../../../shared/prompt/promptFrontMatter';
import type { SavedPrompt } from '../../../shared/transcript/webviewMessages';
import { inSequence } from '../../../util/async';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';

/** The ending of reusable prompts in a workspace folder. */
const ending = '.prompt.acp';
const pattern = `.acp/prompts/**/*${ending}`;
const maxPrompts = 200;
/** The number of bytes read from a prompt to find its description. */
const headLength = 2_000;

/**
 * The saved prompts of the workspace, searched for on first use and kept up to date by a file watcher. What is saved in
 * VS Code is noticed without it: on Linux it may never see a folder that was made together with the one around it
 * (https://github.com/microsoft/vscode/issues/142694).
 */
export class SavedPrompts implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #all: readonly SavedPrompt[] = [];
  #isWatching = false;
  readonly #inOrder = inSequence();
  /** The reading that hasn't begun yet. */
  #next: Promise<void> | undefined;

  readonly #find: typeof vscode.workspace.findFiles;

  constructor(find: typeof vscode.workspace.findFiles = vscode.workspace.findFiles) {
    this.#find = find;
  }

  /** The prompts known so far; `onDidChange` fires when there are others. */
  get all(): readonly SavedPrompt[] {
    if (!this.#isWatching) {
      void this.read();
    }
    return this.#all;
  }

  /** Reads the prompts again. */
  async read(): Promise<readonly SavedPrompt[]> {
    this.#watch();
    await this.#readAgain();
    return this.#all;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #watch(): void {
    if (this.#isWatching) {
      return;
    }
    this.#isWatching = true;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(`**/${pattern}`));
    const again = (): void => void this.#readAgain();
    this.#store.add(watcher.onDidCreate(again));
    this.#store.add(watcher.onDidChange(again));
    this.#store.add(watcher.onDidDelete(again));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.path.endsWith(ending) && again()),
    );
  }

  /**
   * Reads again, one reading at a time, because an earlier one could end last; all changes during one share the next.
   */
  #readAgain(): Promise<void> {
    this.#next ??= this.#inOrder(() => {
      this.#next = undefined;
      return this.#readAll();
    });
    return this.#next;
  }

  async #readAll(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = await Promise.all(
      folders.map((folder) =>
        this.#find(new vscode.RelativePattern(folder, pattern), null, maxPrompts),
      ),
    );
    const prompts = await Promise.all(found.flat().slice(0, maxPrompts).map(savedPrompt));
    this.#all = prompts.toSorted((a, b) => a.name.localeCompare(b.name));
    this.#changed.fire();
  }
}

async function savedPrompt(uri: vscode.Uri): Promise<SavedPrompt> {
  const name = path.posix.basename(uri.path).replace(/\.prompt\.acp$/, '');
  return { uri: uri.toString(), name: cleanText(name, 80), description: await getDescription(uri) };
}

/** The first line that isn't empty. */
async function getDescription(uri: vscode.Uri): Promise<string> {
  try {
    const head = new TextDecoder().decode(await readBeginning(uri.fsPath, headLength));
    const body = head.slice(readFrontMatter(head)?.end);
    return cleanText(body.split('\n').find((line) => line.trim() !== '') ?? '', 120);
  } catch {
    return '';
  }
}
