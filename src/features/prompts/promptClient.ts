import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { Log } from '../../model/ports';
import { fileSymbols } from '../../platform/files/fileSymbols';
import { promptLanguage } from '../../platform/ids';
import { programTexts } from '../../platform/programTexts';
import {
  type ContextText,
  type FindParams,
  type FoundContext,
  type FoundFile,
  type FoundSession,
  type FoundSymbol,
  findContextsMethod,
  findFilesMethod,
  findSessionsMethod,
  findSymbolsMethod,
  type PromptFacts,
  type PromptServerOptions,
  promptServerNodeOptions,
  type ReadContextParams,
  readContextMethod,
  type SessionFactsParams,
  sessionFactsMethod,
} from '../../shared/prompt/promptProtocol';
import type { Disposable } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import type { FileSearch } from '../../views/transcript/composer/fileSearch';

export interface PromptClientOptions {
  /** Path of the server's bundle. */
  readonly program: string;
  readonly fileSearch: Pick<FileSearch, 'search'>;
  readonly findSessions: (query: string, limit: number) => readonly FoundSession[];
  readonly findContexts: (uri: string, query: string) => Promise<readonly FoundContext[]>;
  readonly readContext: (uri: string, word: string) => Promise<ContextText | undefined>;
  readonly log: Log;
  /** The server is running, for the first time or again: it has no facts about any session. */
  readonly onReady: () => void;
}

type Answers = Omit<PromptClientOptions, 'program' | 'log' | 'onReady'>;

/** The client of the prompts' language server, which runs in its own process. Prompts work without it. */
export class PromptClient implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #listening: Disposable;
  readonly #files = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  readonly #log: Log;

  constructor({ program, log, onReady, ...options }: PromptClientOptions) {
    this.#log = log;
    const run = {
      module: program,
      transport: TransportKind.ipc,
      options: {
        execArgv: [...promptServerNodeOptions],
        env: programTexts(),
      },
    };
    const initializationOptions: PromptServerOptions = {
      findsFiles: true,
      findsSymbols: true,
      findsSessions: true,
      findsContexts: true,
      suggestCommand: 'editor.action.triggerSuggest',
    };
    const clientOptions: LanguageClientOptions = {
      documentSelector: [{ language: promptLanguage }],
      initializationOptions,
      // Mentioned files can be created and deleted.
      synchronize: { fileEvents: this.#files },
      outputChannelName: 'ACP Sessions Prompts',
    };
    this.#client = new LanguageClient(
      'acpSessions.prompts',
      'ACP Sessions Prompts',
      { run, debug: run },
      clientOptions,
    );
    this.#answer(options);
    this.#listening = this.#client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        onReady();
      }
    });
    this.#client.start().catch((error: unknown) => {
      log.error(`The language server of prompts doesn't start: ${getStack(error)}`);
    });
  }

  #answer({ fileSearch, findSessions, findContexts, readContext }: Answers): void {
    this.#client.onRequest(findFilesMethod, ({ query, limit }: FindParams) =>
      findFiles(fileSearch, query, limit),
    );
    this.#client.onRequest(findSymbolsMethod, ({ query, limit }: FindParams) =>
      findSymbols(query, limit),
    );
    this.#client.onRequest(findSessionsMethod, ({ query, limit }: FindParams) =>
      findSessions(query, limit),
    );
    this.#client.onRequest(findContextsMethod, ({ uri, query }: FindParams) =>
      findContexts(uri, query),
    );
    this.#client.onRequest(
      readContextMethod,
      async ({ uri, word }: ReadContextParams) => (await readContext(uri, word)) ?? null,
    );
  }

  /** Sends the facts about a prompt's session, or `null` if there are none. False while no server runs. */
  tell(document: vscode.Uri, facts: PromptFacts | null): boolean {
    if (!this.#client.isRunning()) {
      return false;
    }
    const params: SessionFactsParams = { uri: document.toString(), facts };
    this.#client.sendNotification(sessionFactsMethod, params).catch((error: unknown) => {
      this.#log.warn(
        `Failed to notify the prompts’ language server of a session: ${getStack(error)}`,
      );
    });
    return true;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#files.dispose();
    this.#client.dispose().catch((error: unknown) => {
      this.#log.warn(`The language server of prompts didn't end by itself: ${getStack(error)}`);
    });
  }
}

async function findFiles(
  fileSearch: Pick<FileSearch, 'search'>,
  query: string,
  limit: number,
): Promise<readonly FoundFile[]> {
  const found = await fileSearch.search(query);
  return found.slice(0, limit).map(({ uri, isFolder }) => ({ uri, isFolder }));
}

async function findSymbols(query: string, limit: number): Promise<readonly FoundSymbol[]> {
  const found = await fileSymbols(query);
  return found.slice(0, limit).map(({ name, kind, containerName, location }) => ({
    name,
    // VS Code counts from 0, the protocol from 1.
    kind: kind + 1,
    ...(containerName !== '' && { containerName }),
    uri: pathToFileURL(location.uri.fsPath).href,
    line: location.range.start.line + 1,
  }));
}
