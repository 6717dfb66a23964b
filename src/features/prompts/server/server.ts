import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { pathOfFileUri } from '../../../model/files/fileUri';
import { sessionFactsMethod } from '../../../shared/prompt/promptProtocol';
import { type CompletionSupport, completionsAt } from './complete';
import { Diagnostics, getDiagnostic } from './diagnostics';
import { getLinks, symbolLink } from './documentLinks';
import { getFolds, getSymbols } from './documentSymbols';
import { fixesFor } from './fixes';
import { hoverAt } from './hover';
import { OpenPrompts } from './openPrompts';
import { getFindings } from './promptFindings';
import { PromptSearch } from './promptSearch';
import { readOptions, readSessionFacts } from './readFacts';
import { renameEdits } from './renames';

/** Maximum findings that quick fixes are computed for. */
const maxFindings = 10;

const capabilities: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: ['/', '@', '#', ':', '／', '＠', '＃'] },
  hoverProvider: true,
  documentLinkProvider: { resolveProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    fileOperations: {
      willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] },
      didRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] },
      didCreate: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] },
      didDelete: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] },
    },
  },
};

/** A language server for prompts, for any editor that speaks the Language Server Protocol. */
export class PromptServer {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #prompts = new OpenPrompts(this.#documents);
  readonly #search: PromptSearch;
  readonly #diagnostics: Diagnostics;
  #completion: CompletionSupport = { insertReplace: false, labelDetails: false };
  #showsMarkdown = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#search = new PromptSearch(connection);
    this.#diagnostics = new Diagnostics(connection, this.#documents, this.#prompts);
    connection.onInitialize((params) => this.#initialize(params));
    this.#followDocuments();
    this.#followFiles();
    this.#answer();
  }

  listen(): void {
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult {
    const { textDocument, workspace } = params.capabilities;
    const completionItem = textDocument?.completion?.completionItem;
    this.#completion = {
      insertReplace: completionItem?.insertReplaceSupport === true,
      labelDetails: completionItem?.labelDetailsSupport === true,
    };
    this.#showsMarkdown = textDocument?.hover?.contentFormat?.includes('markdown') === true;
    this.#search.options = readOptions(params.initializationOptions);
    this.#prompts.workspaceFolders = getFolders(params);
    if (workspace?.workspaceFolders === true) {
      this.#connection.onInitialized(() => this.#followFolders());
    }
    return { capabilities, serverInfo: { name: 'acp-prompt' } };
  }

  #followDocuments(): void {
    const documents = this.#documents;
    documents.onDidOpen(({ document: { uri } }) => {
      this.#diagnostics.now(uri);
      this.#search.prepare(this.#prompts.get(uri)?.roots ?? []);
    });
    documents.onDidChangeContent(({ document: { uri } }) => this.#diagnostics.soon(uri));
    documents.onDidClose(({ document: { uri } }) => {
      this.#prompts.forget(uri);
      this.#diagnostics.forget(uri);
    });
    this.#connection.onNotification(sessionFactsMethod, (params: unknown) => {
      const read = readSessionFacts(params);
      if (read) {
        this.#prompts.setFacts(read.uri, read.facts);
        this.#diagnostics.now(read.uri);
        this.#search.prepare(this.#prompts.get(read.uri)?.roots ?? []);
      }
    });
  }

  /** Created, deleted and renamed files change which mentions are valid. */
  #followFiles(): void {
    const { workspace } = this.#connection;
    const check = (): void => {
      this.#search.expire();
      this.#diagnostics.allNow();
    };
    this.#connection.onDidChangeWatchedFiles(check);
    workspace.onDidCreateFiles(check);
    workspace.onDidDeleteFiles(check);
    workspace.onDidRenameFiles(check);
    workspace.onWillRenameFiles(({ files }) => renameEdits(this.#prompts.all, files));
  }

  #followFolders(): void {
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const gone = removed.map(({ uri }) => pathOfFileUri(uri));
      const kept = this.#prompts.workspaceFolders.filter((folder) => !gone.includes(folder));
      this.#prompts.workspaceFolders = [
        ...kept,
        ...added.flatMap(({ uri }) => pathOfFileUri(uri) ?? []),
      ];
      this.#diagnostics.allNow();
    });
  }

  #answer(): void {
    const connection = this.#connection;
    const prompts = this.#prompts;
    connection.onCompletion((params, token) => {
      const place = this.#findPlace(params);
      return place
        ? completionsAt(place.prompt, place.offset, this.#search, this.#completion, token)
        : null;
    });
    connection.onHover(async (params, token) => {
      const place = this.#findPlace(params);
      if (!place) {
        return null;
      }
      const { prompt, offset } = place;
      return (await hoverAt(prompt, offset, this.#search, this.#showsMarkdown, token)) ?? null;
    });
    connection.onDocumentLinks(async ({ textDocument: { uri } }) => {
      const prompt = prompts.get(uri);
      return prompt
        ? [...(await getLinks(prompt, this.#search.options.findsSymbols === true))]
        : [];
    });
    connection.onDocumentLinkResolve((link, token) =>
      symbolLink(link, prompts, this.#search, token),
    );
    connection.onDocumentSymbol(({ textDocument: { uri } }) => {
      const prompt = prompts.get(uri);
      return prompt ? [...getSymbols(prompt)] : [];
    });
    connection.onFoldingRanges(({ textDocument: { uri } }) => {
      const prompt = prompts.get(uri);
      return prompt ? [...getFolds(prompt)] : [];
    });
    connection.onCodeAction((params, token) => this.#fixes(params, token));
  }

  async #fixes(params: CodeActionParams, token: CancellationToken): Promise<CodeAction[]> {
    const { only } = params.context;
    const prompt = this.#prompts.get(params.textDocument.uri);
    if (!prompt || (only && !only.includes(CodeActionKind.QuickFix))) {
      return [];
    }
    const { document } = prompt;
    const start = document.offsetAt(params.range.start);
    const end = document.offsetAt(params.range.end);
    const here = (await getFindings(prompt))
      .filter((finding) => finding.start <= end && finding.end >= start)
      .slice(0, maxFindings);
    const actions: CodeAction[] = [];
    for (const finding of token.isCancellationRequested ? [] : here) {
      const diagnostic = getDiagnostic(finding, document);
      actions.push(...(await fixesFor(finding, diagnostic, prompt, this.#search)));
    }
    return actions;
  }

  #findPlace({ textDocument, position }: TextDocumentPositionParams) {
    const prompt = this.#prompts.get(textDocument.uri);
    return prompt && { prompt, offset: prompt.document.offsetAt(position) };
  }
}

/** Older clients send a single root folder. */
function getFolders(params: InitializeParams): readonly string[] {
  const { workspaceFolders } = params;
  // oxlint-disable-next-line typescript/no-deprecated -- some editors say only this.
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? [params.rootUri ?? ''];
  return uris.flatMap((uri) => pathOfFileUri(uri) ?? []);
}
