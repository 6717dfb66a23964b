import { type CancellationToken, type Connection, RequestType } from 'vscode-languageserver/node';
import { pathOfFileUri } from '../../../model/files/fileUri';
import {
  type ContextText,
  type FindParams,
  type FoundContext,
  type FoundSession,
  type FoundSymbol,
  findContextsMethod,
  findFilesMethod,
  findSessionsMethod,
  findSymbolsMethod,
  type PromptServerOptions,
  type ReadContextParams,
  readContextMethod,
} from '../../../shared/prompt/promptProtocol';
import { asArray, isObject } from '../../../util/json';
import { type FileMatch, FolderSearch } from './folderSearch';
import type { Prompt } from './openPrompts';

export interface Matches {
  readonly matches: readonly FileMatch[];
  /** Whether the list is complete, so that typing more needs no new search. */
  readonly isWhole: boolean;
}

const filesRequest = new RequestType<FindParams, unknown, void>(findFilesMethod);
const sessionsRequest = new RequestType<FindParams, unknown, void>(findSessionsMethod);
const symbolsRequest = new RequestType<FindParams, unknown, void>(findSymbolsMethod);
const contextsRequest = new RequestType<FindParams, unknown, void>(findContextsMethod);
const readContextRequest = new RequestType<ReadContextParams, unknown, void>(readContextMethod);

/** Number of search results among which an exact symbol name is looked up. */
const maxSymbols = 20;

/** Finds files, symbols and sessions through the client if it supports that; files also without it. */
export class PromptSearch {
  options: PromptServerOptions = {};
  readonly #connection: Connection;
  readonly #folders = new FolderSearch();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async files(
    { document: { uri }, roots }: Prompt,
    query: string,
    limit: number,
    token?: CancellationToken,
  ): Promise<Matches> {
    const asked = query.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    if (this.options.findsFiles === true) {
      const found = await this.#ask(filesRequest, { uri, query: asked, limit }, token);
      if (found) {
        return { matches: found.flatMap(getMatch).slice(0, limit), isWhole: false };
      }
    }
    return this.#folders.find(roots, asked, limit);
  }

  async symbols(
    { document: { uri } }: Prompt,
    query: string,
    limit: number,
    token?: CancellationToken,
  ): Promise<readonly FoundSymbol[]> {
    return this.options.findsSymbols === true
      ? this.#found(symbolsRequest, isSymbol, { uri, query, limit }, token)
      : [];
  }

  async sessions(
    { document: { uri } }: Prompt,
    query: string,
    limit: number,
    token?: CancellationToken,
  ): Promise<readonly FoundSession[]> {
    return this.options.findsSessions === true
      ? this.#found(sessionsRequest, isSession, { uri, query, limit }, token)
      : [];
  }

  async contexts(
    { document: { uri } }: Prompt,
    query: string,
    limit: number,
    token?: CancellationToken,
  ): Promise<readonly FoundContext[]> {
    return this.options.findsContexts === true
      ? this.#found(contextsRequest, isContext, { uri, query, limit }, token)
      : [];
  }

  /** What would be sent for a mention; `undefined` if nothing is known of it. */
  async context(
    { document: { uri } }: Prompt,
    word: string,
    token: CancellationToken,
  ): Promise<ContextText | undefined> {
    if (this.options.findsContexts !== true) {
      return undefined;
    }
    try {
      const read = await this.#connection.sendRequest(readContextRequest, { uri, word }, token);
      return isContextText(read) ? read : undefined;
    } catch {
      return undefined;
    }
  }

  /** The symbol with exactly this name. */
  async symbol(
    prompt: Prompt,
    name: string,
    token?: CancellationToken,
  ): Promise<FoundSymbol | undefined> {
    const found = await this.symbols(prompt, name, maxSymbols, token);
    return found.find((symbol) => symbol.name === name);
  }

  /** Starts to read folders that are likely to be searched. */
  prepare(roots: readonly string[]): void {
    if (this.options.findsFiles !== true) {
      this.#folders.prepare(roots);
    }
  }

  /** Call when files were created, deleted or renamed. */
  expire(): void {
    this.#folders.expire();
  }

  /** The client's results, without malformed ones. */
  async #found<T>(
    request: RequestType<FindParams, unknown, void>,
    isFound: (value: unknown) => value is T,
    params: FindParams,
    token: CancellationToken | undefined,
  ): Promise<readonly T[]> {
    const found = await this.#ask(request, params, token);
    return (found ?? []).filter(isFound).slice(0, params.limit);
  }

  /** `undefined` when the request fails. */
  async #ask(
    request: RequestType<FindParams, unknown, void>,
    params: FindParams,
    token: CancellationToken | undefined,
  ): Promise<readonly unknown[] | undefined> {
    try {
      return asArray(await this.#connection.sendRequest(request, params, token));
    } catch {
      return undefined;
    }
  }
}

function getMatch(found: unknown): readonly FileMatch[] {
  const uri = isObject(found) && typeof found['uri'] === 'string' ? found['uri'] : '';
  const path = pathOfFileUri(uri);
  return path === undefined || !isObject(found)
    ? []
    : [{ path, isFolder: found['isFolder'] === true }];
}

function isSession(found: unknown): found is FoundSession {
  return (
    isObject(found) &&
    typeof found['id'] === 'string' &&
    typeof found['title'] === 'string' &&
    typeof found['agent'] === 'string'
  );
}

function isContext(found: unknown): found is FoundContext {
  return (
    isObject(found) &&
    typeof found['mention'] === 'string' &&
    typeof found['name'] === 'string' &&
    typeof found['detail'] === 'string'
  );
}

function isContextText(read: unknown): read is ContextText {
  return (
    isObject(read) &&
    typeof read['name'] === 'string' &&
    typeof read['size'] === 'number' &&
    typeof read['text'] === 'string'
  );
}

function isSymbol(found: unknown): found is FoundSymbol {
  return (
    isObject(found) &&
    typeof found['name'] === 'string' &&
    typeof found['kind'] === 'number' &&
    typeof found['uri'] === 'string' &&
    typeof found['line'] === 'number'
  );
}
