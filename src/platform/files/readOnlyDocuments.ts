import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';

const scheme = 'acp-session';
/** Number of documents beyond which texts that no editor shows any more are dropped. */
const maxDocuments = 500;
const maxCharacters = 64_000_000;
/** How soon, in ms, a document shows that its text has changed. */
const soon = 250;

/** The state of a file that a document shows. */
export interface ShownState {
  /** Absolute path. */
  readonly file: string;
  readonly side: 'before' | 'after';
}

/** A text that changes. */
export interface LiveText {
  /** `undefined` if there is none any more, so that what there was stays. */
  readonly read: () => string | undefined;
  /** Has `changed` called whenever the text may have changed, at any rate. */
  readonly listen: (changed: () => void) => Disposable;
}

/**
 * Read-only documents for texts of a transcript: whole messages and the sides of a diff. A text is
 * kept while its document is open; of the others, the oldest are dropped first.
 */
export class ReadOnlyDocuments implements Disposable, vscode.TextDocumentContentProvider {
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  readonly #states = new Map<string, ShownState>();
  /** What keeps the texts of live documents up to date, by their ids. */
  readonly #live = new Map<string, Disposable>();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
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
   * as one file. With `side`, it is known as that side of a change.
   */
  addState(file: vscode.Uri, text: string, side?: ShownState['side']): vscode.Uri {
    const uri = this.#add(file.path, text);
    if (side !== undefined) {
      this.#states.set(uri.query, { file: file.fsPath, side });
    }
    return uri;
  }

  /** The same for a text that changes, which the document follows as long as it is open. */
  addLive(name: string, { read, listen }: LiveText): vscode.Uri {
    const uri = this.add(name, read() ?? '');
    const store = new DisposableStore();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        this.#replace(uri, read());
      }, soon);
    };
    store.add(listen(changed));
    store.add(toDisposable(() => clearTimeout(timer)));
    this.#live.set(uri.query, store);
    return uri;
  }

  /** The same for one side of a change of a file, which is only named. */
  addSide(state: ShownState, name: string, text: string): vscode.Uri {
    const uri = this.add(name, text);
    this.#states.set(uri.query, state);
    return uri;
  }

  /** Which file's state a document shows, if it is a side of a change. */
  stateOf(uri: vscode.Uri): ShownState | undefined {
    return uri.scheme === scheme ? this.#states.get(uri.query) : undefined;
  }

  /** Whether the text of a document is still kept. */
  has(uri: vscode.Uri): boolean {
    return this.#texts.has(uri.query);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.query) ??
      l10n.t('This text is no longer kept. Open it from the transcript again.')
    );
  }

  dispose(): void {
    this.#store.dispose();
    for (const id of [...this.#texts.keys()]) {
      this.#release(id);
    }
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
    this.#states.delete(id);
    this.#live.get(id)?.dispose();
    this.#live.delete(id);
  }

  #replace(uri: vscode.Uri, text: string | undefined): void {
    const before = this.#texts.get(uri.query);
    if (text !== undefined && before !== undefined && text !== before) {
      this.#texts.set(uri.query, text);
      this.#characters += text.length - before.length;
      this.#changed.fire(uri);
    }
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
