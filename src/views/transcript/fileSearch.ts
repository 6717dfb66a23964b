import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { FileSuggestion } from '../../shared/messages';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { type FileIndex, fileIndex, rankFiles, withFolders } from './fileRanking';
import { GitIgnores, parentOf } from './gitIgnores';

/** Most files of one folder; a project with more is searched as far as this goes. */
const maxFiles = 100_000;
const maxIgnoreFiles = 500;

/**
 * Finds files and folders of the workspace to mention. What `files.exclude`, `search.exclude` or a
 * `.gitignore` leaves out is left out. The list is kept, and read again after files came or went.
 */
export class FileSearch implements Disposable {
  readonly #store = new DisposableStore();
  #index: FileIndex | undefined;
  #reading: Promise<void> | undefined;
  #isStale = true;
  #isWatching = false;

  /** The best for `text`. */
  async search(text: string): Promise<readonly FileSuggestion[]> {
    this.#watch();
    if (this.#isStale) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }
    if (this.#index === undefined) {
      // Later ones are answered from what is there: a list that is a moment old is better than waiting.
      await this.#reading;
    }
    return this.#index === undefined ? [] : rankFiles(this.#index, text, openFiles());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** From the first search on: most windows never search. */
  #watch(): void {
    if (this.#isWatching) {
      return;
    }
    this.#isWatching = true;
    const forget = (): void => {
      this.#isStale = true;
    };
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    this.#store.add(watcher);
    this.#store.add(watcher.onDidCreate(forget));
    this.#store.add(watcher.onDidDelete(forget));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument(({ fileName }) => {
        if (fileName.endsWith('.gitignore')) {
          forget();
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude')) {
          forget();
        }
      }),
    );
  }

  async #read(): Promise<void> {
    this.#isStale = false;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    const files = await Promise.all(
      folders.map((folder) => filesOf(folder, folders.length > 1 ? `${folder.name}/` : '')),
    );
    this.#index = fileIndex(withFolders(files.flat()));
  }
}

async function filesOf(
  folder: vscode.WorkspaceFolder,
  prefix: string,
): Promise<{ path: string; uri: string }[]> {
  const find = (pattern: string, most: number): Thenable<vscode.Uri[]> =>
    vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), searchExclude(), most);
  const [found, ignoreFiles] = await Promise.all([
    find('**/*', maxFiles),
    find('**/.gitignore', maxIgnoreFiles),
  ]);
  const ignores = await readIgnores(folder, ignoreFiles);
  return found
    .map((uri) => ({ path: relativePath(folder, uri), uri: pathToFileURL(uri.fsPath).href }))
    .filter(({ path }) => !ignores.ignores(path))
    .map(({ path, uri }) => ({ path: prefix + path, uri }));
}

/** VS Code itself applies `files.exclude` only; most of what `search.exclude` names is of no use here either. */
function searchExclude(): string | undefined {
  const setting = vscode.workspace
    .getConfiguration('search')
    .get<Record<string, unknown>>('exclude', {});
  // A pattern with a comma or a brace can't be put into a group.
  const patterns = Object.keys(setting).filter(
    (pattern) => setting[pattern] === true && !/[{},]/.test(pattern),
  );
  return patterns.length === 0 ? undefined : `{${patterns.join(',')}}`;
}

async function readIgnores(
  folder: vscode.WorkspaceFolder,
  files: readonly vscode.Uri[],
): Promise<GitIgnores> {
  const texts = new Map<string, string>();
  const decoder = new TextDecoder();
  for (const file of files) {
    try {
      const text = decoder.decode(await vscode.workspace.fs.readFile(file));
      texts.set(parentOf(relativePath(folder, file)), text);
    } catch {
      // One that has gone meanwhile, or can't be read, says nothing.
    }
  }
  return new GitIgnores(texts);
}

function relativePath(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
}

/** The files that are open in editors, by URI. */
function openFiles(): Set<string> {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return new Set(
    inputs
      .filter((input) => input instanceof vscode.TabInputText)
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => pathToFileURL(uri.fsPath).href),
  );
}
