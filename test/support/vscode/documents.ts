import type * as vscode from 'vscode';
import { EndOfLine } from './enums';
import { CancellationTokenSource, Disposable, EventEmitter } from './events';
import { fileSystem } from './fileSystem';
import { Position, Range } from './positions';
import { Uri } from './uri';

const open = new Map<string, TextDocument>();
const providers = new Map<string, vscode.TextDocumentContentProvider>();
const opened = new EventEmitter<vscode.TextDocument>();
const closed = new EventEmitter<vscode.TextDocument>();
const edited = new EventEmitter<vscode.TextDocumentChangeEvent>();
const saved = new EventEmitter<vscode.TextDocument>();
let untitled = 0;

/** The text of a file, or of what the extension provides. */
class TextDocument {
  readonly uri: vscode.Uri;
  languageId: string;
  version = 1;
  isDirty: boolean;
  readonly encoding = 'utf8';
  isClosed = false;
  #text: string;

  constructor(uri: vscode.Uri, text: string, languageId: string) {
    this.uri = uri;
    this.languageId = languageId;
    this.#text = text;
    this.isDirty = this.isUntitled;
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }

  get eol(): vscode.EndOfLine {
    return this.#text.includes('\r\n') ? EndOfLine.CRLF : EndOfLine.LF;
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  get #lines(): readonly string[] {
    return this.#text.split(/\r\n|\r|\n/);
  }

  /** What its provider says by now. */
  replace(text: string): void {
    if (text !== this.#text) {
      this.#text = text;
      this.version += 1;
      edited.fire({ document: asDocument(this), contentChanges: [], reason: undefined });
    }
  }

  getText(range?: vscode.Range): string {
    return range === undefined
      ? this.#text
      : this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  lineAt(at: number | vscode.Position): Pick<vscode.TextLine, 'lineNumber' | 'text' | 'range'> {
    const lineNumber = typeof at === 'number' ? at : at.line;
    const text = this.#lines[lineNumber] ?? '';
    return { lineNumber, text, range: new Range(lineNumber, 0, lineNumber, text.length) };
  }

  offsetAt({ line, character }: vscode.Position): number {
    const ending = this.eol === EndOfLine.CRLF ? 2 : 1;
    const before = this.#lines.slice(0, line).reduce((sum, own) => sum + own.length + ending, 0);
    return Math.min(before + character, this.#text.length);
  }

  positionAt(offset: number): vscode.Position {
    const lines = this.#text.slice(0, offset).split(/\r\n|\r|\n/);
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  validateRange(range: vscode.Range): vscode.Range {
    return new Range(
      this.positionAt(this.offsetAt(range.start)),
      this.positionAt(this.offsetAt(range.end)),
    );
  }

  async save(): Promise<boolean> {
    if (this.isUntitled) {
      return false;
    }
    if (this.isDirty) {
      await fileSystem.writeFile(this.uri, new TextEncoder().encode(this.#text));
      this.isDirty = false;
      saved.fire(asDocument(this));
    }
    return true;
  }
}

function asDocument(document: TextDocument): vscode.TextDocument {
  return document as unknown as vscode.TextDocument;
}

const languages = new Map([
  ['md', 'markdown'],
  ['ts', 'typescript'],
  ['json', 'json'],
  ['acp', 'acp-prompt'],
]);

export async function openTextDocument(
  what?: string | vscode.Uri | { readonly language?: string; readonly content?: string },
): Promise<vscode.TextDocument> {
  if (typeof what !== 'string' && (what === undefined || !('scheme' in what))) {
    const uri = Uri.from({ scheme: 'untitled', path: `Untitled-${++untitled}` });
    return add(new TextDocument(uri, what?.content ?? '', what?.language ?? 'plaintext'));
  }
  const uri = typeof what === 'string' ? Uri.file(what) : what;
  const existing = open.get(uri.toString());
  if (existing !== undefined) {
    return asDocument(existing);
  }
  const provider = providers.get(uri.scheme);
  const text = provider
    ? await provided(provider, uri)
    : new TextDecoder().decode(await fileSystem.readFile(uri));
  const ending = uri.path.split('.').at(-1) ?? '';
  return add(new TextDocument(uri, text, languages.get(ending) ?? 'plaintext'));
}

async function provided(
  provider: vscode.TextDocumentContentProvider,
  uri: vscode.Uri,
): Promise<string> {
  const { token } = new CancellationTokenSource();
  return (await provider.provideTextDocumentContent(uri, token)) ?? '';
}

function add(document: TextDocument): vscode.TextDocument {
  open.set(document.uri.toString(), document);
  opened.fire(asDocument(document));
  return asDocument(document);
}

/** Sets the language; as in VS Code, the document is told as closed and opened again, and stays among the open ones. */
export function setTextDocumentLanguage(
  document: vscode.TextDocument,
  languageId: string,
): Promise<vscode.TextDocument> {
  closed.fire(document);
  Object.assign(document, { languageId });
  opened.fire(document);
  return Promise.resolve(document);
}

/** Changes a document, which isn't saved yet. */
export async function editDocument(
  uri: vscode.Uri,
  edits: readonly vscode.TextEdit[],
): Promise<vscode.TextDocument> {
  const shown = await openTextDocument(uri);
  const document = open.get(uri.toString());
  const offset = (edit: vscode.TextEdit): number => shown.offsetAt(edit.range.start);
  const text = [...edits]
    .sort((a, b) => offset(b) - offset(a))
    .reduce(
      (before, edit) =>
        before.slice(0, offset(edit)) + edit.newText + before.slice(shown.offsetAt(edit.range.end)),
      shown.getText(),
    );
  if (document !== undefined && text !== shown.getText()) {
    document.isDirty = true;
    document.replace(text);
  }
  return shown;
}

/** The last tab of a document is closed. */
export function closeDocument(uri: vscode.Uri): void {
  const document = open.get(uri.toString());
  if (document !== undefined) {
    open.delete(uri.toString());
    document.isClosed = true;
    closed.fire(asDocument(document));
  }
}

export const documents = {
  get textDocuments() {
    return [...open.values()].map(asDocument);
  },
  openTextDocument,
  onDidOpenTextDocument: opened.event,
  onDidCloseTextDocument: closed.event,
  onDidChangeTextDocument: edited.event,
  onDidSaveTextDocument: saved.event,
  registerTextDocumentContentProvider: (scheme, provider) => {
    providers.set(scheme, provider);
    const changes = provider.onDidChange?.((uri) => {
      const document = open.get(uri.toString());
      void provided(provider, uri).then((text) => document?.replace(text));
    });
    return new Disposable(() => {
      changes?.dispose();
      providers.delete(scheme);
    });
  },
} satisfies Partial<typeof vscode.workspace>;
