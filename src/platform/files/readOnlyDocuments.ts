import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../util/disposable';

const scheme = 'acp-session';
/** Number of documents beyond which texts that no editor shows any more are dropped. */
const maxDocuments = 500;
const maxCharacters = 64_000_000;

/**
 * Read-only documents for texts of a transcript: whole messages and the sides of a diff. A text is
 * kept while its document is open; of the others, the oldest are dropped first.
 */
export class ReadOnlyDocuments implements Disposable, vscode.TextDocumentContentProvider {
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  #characters = 0;
  #lastId = 0;

  constructor() {
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // A document whose language changes is closed and opened, but stays among the open ones.
        if (uri.scheme === scheme && !openIds().has(uri.query)) {
          this.#release(uri.query);
        }
      }),
    );
  }

  /** Adds a new document for `text`. The extension of the name determines the language. */
  add(name: string, text: string): vscode.Uri {
    return this.#add(`/${safeName(name)}`, text);
  }

  /**
   * The same for another state of a file, under the path of the file, so that VS Code treats both
   * as one file.
   */
  addState(file: vscode.Uri, text: string): vscode.Uri {
    return this.#add(file.path, text);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.query) ??
      l10n.t('This text is no longer kept. Open it from the transcript again.')
    );
  }

  dispose(): void {
    this.#store.dispose();
    this.#texts.clear();
  }

  #add(path: string, text: string): vscode.Uri {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#texts.set(id, text);
    this.#characters += text.length;
    this.#evict(id);
    return vscode.Uri.from({ scheme, path, query: id });
  }

  #evict(added: string): void {
    const open = openIds();
    for (const id of [...this.#texts.keys()]) {
      if (this.#texts.size <= maxDocuments && this.#characters <= maxCharacters) {
        return;
      }
      if (id !== added && !open.has(id)) {
        this.#release(id);
      }
    }
  }

  #release(id: string): void {
    this.#characters -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
  }
}

function openIds(): ReadonlySet<string> {
  const own = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
  return new Set(own.map(({ uri }) => uri.query));
}

/** The last segment of a path, without characters that are special in a URI or on screen. */
function safeName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const safe = base.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(-80);
  return safe === '' ? 'text.txt' : safe;
}
