import assert from 'node:assert/strict';
import path from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentLink,
  InitializeResult,
  PublishDiagnosticsParams,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { PromptServer } from '../../../../../src/features/prompts/server/server';
import {
  type PromptFacts,
  type SessionFactsParams,
  sessionFactsMethod,
} from '../../../../../src/shared/prompt/promptProtocol';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ClientOptions {
  readonly folders?: readonly string[];
  readonly capabilities?: object;
  readonly initializationOptions?: unknown;
  /** Handlers of the server's requests, by method. */
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
}

/** A headless editor: it talks to a server like any other client. */
export class LanguageClient {
  readonly #pending = new Map<number, Pending>();
  readonly #answers: NonNullable<ClientOptions['answers']>;
  readonly #documents = new Map<string, TextDocument>();
  readonly #published: PublishDiagnosticsParams[] = [];
  readonly #toServer: Writable;
  #onPublished: (() => void) | undefined;
  #rest = Buffer.alloc(0);
  #id = 0;

  protected constructor(
    toServer: Writable,
    fromServer: Readable,
    answers: NonNullable<ClientOptions['answers']> = {},
  ) {
    this.#toServer = toServer;
    this.#answers = answers;
    fromServer.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** Returns a client of a server in this process, which answers in the same bytes as one of its own. */
  static async here(options: ClientOptions = {}): Promise<LanguageClient> {
    const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
    const reader = new StreamMessageReader(toServer);
    new PromptServer(createConnection(reader, new StreamMessageWriter(fromServer))).listen();
    const client = new LanguageClient(toServer, fromServer, options.answers);
    // It would look every few seconds whether the process is still there.
    await client.initialize(options, null);
    return client;
  }

  protected async initialize(options: ClientOptions, processId: number | null): Promise<void> {
    const { capabilities } = await this.request<InitializeResult>('initialize', {
      processId,
      rootUri: null,
      capabilities: options.capabilities ?? {},
      initializationOptions: options.initializationOptions,
      workspaceFolders: (options.folders ?? []).map((folder) => ({
        uri: pathToFileURL(folder).href,
        name: path.basename(folder),
      })),
    });
    assert.ok(capabilities.completionProvider);
    this.notify('initialized', {});
  }

  /** Rejects what still waits for an answer. */
  protected giveUp(): void {
    for (const { reject } of this.#pending.values()) {
      reject(new Error('The server has ended'));
    }
  }

  async request<T>(method: string, params: unknown): Promise<T> {
    const id = ++this.#id;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#send({ id, method, params });
    return (await answer) as T;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Writes raw bytes. */
  write(text: string): void {
    this.#toServer.write(text);
  }

  open(text: string, uri = 'untitled:prompt'): string {
    this.#documents.set(uri, TextDocument.create(uri, 'acp-prompt', 1, text));
    this.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'acp-prompt', version: 1, text },
    });
    return uri;
  }

  /** Replaces the whole text. */
  change(uri: string, text: string): void {
    const version = this.#document(uri).version + 1;
    this.#documents.set(uri, TextDocument.create(uri, 'acp-prompt', version, text));
    this.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  bind(uri: string, facts: PromptFacts | null): void {
    const params: SessionFactsParams = { uri, facts };
    this.notify(sessionFactsMethod, params);
  }

  /** `at`: the text before the cursor; by default the end of the document. */
  async complete(uri: string, at?: string): Promise<CompletionList> {
    return this.request('textDocument/completion', this.#place(uri, at));
  }

  /**
   * Waits until the server has read the folders of a file mention: on a slow machine its first answers have only the
   * files found so far.
   */
  async read(uri: string, at?: string): Promise<void> {
    while ((await this.complete(uri, at)).isIncomplete) {}
  }

  /** The document's text after choosing each item, by the item's label. */
  async completed(uri: string, at?: string): Promise<Readonly<Record<string, string>>> {
    const { items } = await this.complete(uri, at);
    return Object.fromEntries(items.map((item) => [item.label, this.#chosen(uri, item)]));
  }

  async hover(uri: string, at: string): Promise<string | undefined> {
    const hover = await this.request<{ contents: { value: string } } | null>(
      'textDocument/hover',
      this.#place(uri, at),
    );
    return hover?.contents.value;
  }

  async ask<T>(method: string, uri: string): Promise<T> {
    return this.request(method, { textDocument: { uri } });
  }

  /** The links of a document: the text of each link, and its target. */
  async links(uri: string): Promise<readonly (readonly [string, string | undefined])[]> {
    const links = await this.ask<DocumentLink[]>('textDocument/documentLink', uri);
    return links.map(({ range, target }) => [this.#document(uri).getText(range), target]);
  }

  /** The diagnostics of a document, as soon as their codes satisfy `isWanted`. */
  async diagnostics(
    uri: string,
    isWanted: (codes: readonly string[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    for (;;) {
      const newest = this.#published.findLast((published) => published.uri === uri);
      if (newest && isWanted(newest.diagnostics.map(({ code }) => String(code)))) {
        return newest.diagnostics;
      }
      await new Promise<void>((resolve) => {
        this.#onPublished = resolve;
      });
    }
  }

  /** The next diagnostics of a document; earlier ones are discarded. */
  async nextDiagnostics(uri: string, act: () => void): Promise<readonly Diagnostic[]> {
    this.#published.splice(0);
    act();
    return this.diagnostics(uri, () => true);
  }

  /** The problems of a document, each with the text it refers to. */
  problems(uri: string, diagnostics: readonly Diagnostic[]): readonly string[] {
    const document = this.#document(uri);
    return diagnostics.map(({ code, range }) => `${code}: ${document.getText(range)}`);
  }

  /** The document's text after applying each fix, by the fix's title. */
  async fixes(uri: string, diagnostic: Diagnostic): Promise<Readonly<Record<string, string>>> {
    const actions = await this.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    });
    return Object.fromEntries(actions.map(({ title, edit }) => [title, this.edited(uri, edit)]));
  }

  /** The text after an edit. */
  edited(uri: string, edit: WorkspaceEdit | null | undefined): string {
    return TextDocument.applyEdits(this.#document(uri), edit?.changes?.[uri] ?? []);
  }

  #place(uri: string, at: string | undefined) {
    const document = this.#document(uri);
    const text = document.getText();
    const found = at === undefined ? text.length : text.indexOf(at) + at.length;
    assert.ok(at === undefined || text.includes(at), `${at} is in the text`);
    return { textDocument: { uri }, position: document.positionAt(found) };
  }

  #chosen(uri: string, { textEdit }: CompletionItem): string {
    assert.ok(textEdit);
    const range = 'range' in textEdit ? textEdit.range : textEdit.replace;
    const edit: TextEdit = { newText: textEdit.newText, range };
    return TextDocument.applyEdits(this.#document(uri), [edit]);
  }

  #document(uri: string): TextDocument {
    const document = this.#documents.get(uri);
    assert.ok(document, uri);
    return document;
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const head = this.#rest.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#rest.toString('latin1', 0, head))?.[1],
      );
      const end = head + 4 + length;
      if (head === -1 || this.#rest.length < end) {
        return;
      }
      const message = JSON.parse(this.#rest.toString('utf8', head + 4, end)) as Message;
      this.#rest = this.#rest.subarray(end);
      this.#handle(message);
    }
  }

  #handle(message: Message): void {
    const { id, method, params, result, error } = message;
    if (method !== undefined && id !== undefined) {
      const answer = this.#answers[method];
      const error = { code: -32601, message: 'There is no such method' };
      this.#send(answer ? { id, result: answer(params as never) } : { id, error });
    } else if (method === 'textDocument/publishDiagnostics') {
      this.#published.push(params as PublishDiagnosticsParams);
      this.#onPublished?.();
    } else if (typeof id === 'number') {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) {
        pending?.reject(new Error(error.message));
      } else {
        pending?.resolve(result);
      }
    }
  }
}
