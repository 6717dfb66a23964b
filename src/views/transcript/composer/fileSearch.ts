import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { maxIgnoreFileBytes } from '../../../model/files/ignoreRules';
import { readRegularFile } from '../../../model/files/regularFile';
import type { Log } from '../../../model/ports';
import type { FileSuggestion } from '../../../shared/transcript/questions';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { getStack } from '../../../util/getStack';
import { type FileIndex, fileIndex, rankFiles, withFolders } from './fileRanking';
import { GitIgnores, getParent } from './gitIgnores';

/** Maximum number of files in a folder; a project with more is searched only that far. */
const maxFiles = 100_000;
const maxIgnoreFiles = 500;
/** Limits of the patterns in `search.exclude`: how many apply, their length, and their `**`. */
const maxExcludes = 200;
const maxExcludeLength = 200;
const maxDoubleStars = 4;
/** Comparisons with `.gitignore` rules before yielding to the event loop: some milliseconds. */
const workAtOnce = 1_000_000;

/**
 * Finds files and folders of the workspace to mention, except those that `files.exclude`,
 * `search.exclude` or a `.gitignore` excludes. The list is cached, and read again after files were
 * created or deleted.
 */
export class FileSearch implements Disposable {
  readonly #store = new DisposableStore();
  readonly #log: Pick<Log, 'warn'> | undefined;
  #index: FileIndex | undefined;
  #reading: Promise<void> | undefined;
  #isStale = true;
  #isWatching = false;

  constructor(log?: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** The best suggestions for `text`. */
  async search(text: string): Promise<readonly FileSuggestion[]> {
    this.#watch();
    if (this.#isStale) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }
    if (this.#index === undefined) {
      await this.#reading;
    } else {
      // Later searches use the list that is there: a slightly outdated one is better than waiting.
      this.#reading?.catch((error: unknown) =>
        this.#log?.warn(`The files to mention can't be read again: ${getStack(error)}`),
      );
    }
    return this.#index === undefined ? [] : rankFiles(this.#index, text, openFiles());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Starts with the first search, because most windows never search. */
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
    const ignoreFiles = vscode.workspace.createFileSystemWatcher(
      '**/.gitignore',
      true,
      false,
      true,
    );
    this.#store.add(ignoreFiles);
    this.#store.add(ignoreFiles.onDidChange(forget));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (['files.exclude', 'search.exclude'].some((key) => event.affectsConfiguration(key))) {
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
    try {
      const files = await Promise.all(
        folders.map((folder) =>
          getFiles(folder, folders.length > 1 ? `${folder.name}/` : '', this.#log),
        ),
      );
      this.#index = fileIndex(withFolders(files.flat()));
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }
}

async function getFiles(
  folder: vscode.WorkspaceFolder,
  prefix: string,
  log: Pick<Log, 'warn'> | undefined,
): Promise<{ path: string; uri: string }[]> {
  const find = (pattern: string, most: number): Thenable<vscode.Uri[]> =>
    vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), searchExclude(), most);
  const [found, ignoreFiles] = await Promise.all([
    find('**/*', maxFiles),
    find('**/.gitignore', maxIgnoreFiles),
  ]);
  const ignores = await readIgnores(folder, ignoreFiles);
  const kept: { path: string; uri: string }[] = [];
  let pauseAt = ignores.workLeft - workAtOnce;
  for (const uri of found) {
    const path = relativePath(folder, uri);
    if (!ignores.ignores(path)) {
      kept.push({ path: prefix + path, uri: pathToFileURL(uri.fsPath).href });
    }
    if (ignores.workLeft < pauseAt) {
      pauseAt = ignores.workLeft - workAtOnce;
      await setImmediate();
    }
  }
  if (ignores.leftOut > 0 || ignores.workLeft <= 0) {
    log?.warn(
      `The .gitignore files of ${folder.uri.fsPath} have too many or too long rules: ${ignores.leftOut} ignored${ignores.workLeft <= 0 ? ', and the others take too long' : ''}. Files that they exclude may be offered.`,
    );
  }
  return kept;
}

/**
 * `findFiles` applies only `files.exclude` (https://github.com/microsoft/vscode/issues/48674); most of what
 * `search.exclude` lists is of no use here either.
 */
function searchExclude(): string | undefined {
  const setting = vscode.workspace
    .getConfiguration('search')
    .get<Record<string, unknown>>('exclude', {});
  // A pattern with a comma or a brace can't be part of a group.
  const patterns = Object.keys(setting).filter(
    (pattern) =>
      setting[pattern] === true &&
      !/[{},]/.test(pattern) &&
      pattern.length <= maxExcludeLength &&
      pattern.split('**').length <= maxDoubleStars + 1,
  );
  return patterns.length === 0 ? undefined : `{${patterns.slice(0, maxExcludes).join(',')}}`;
}

async function readIgnores(
  folder: vscode.WorkspaceFolder,
  files: readonly vscode.Uri[],
): Promise<GitIgnores> {
  const texts = new Map<string, string>();
  const decoder = new TextDecoder();
  for (const file of files) {
    try {
      const bytes = await readRegularFile(file.fsPath, { maxBytes: maxIgnoreFileBytes });
      texts.set(getParent(relativePath(folder, file)), decoder.decode(bytes));
    } catch {
      // A file that is gone by now, is too long or can't be read has no rules.
    }
  }
  return new GitIgnores(texts);
}

function relativePath(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
}

/** The URIs of the files that are open in editors. */
function openFiles(): Set<string> {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return new Set(
    inputs
      .filter((input) => input instanceof vscode.TabInputText)
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => pathToFileURL(uri.fsPath).href),
  );
}
