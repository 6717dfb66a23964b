import { type CancellationToken, type Connection, RequestType } from 'vscode-languageserver/node';
import {
  type FindParams,
  type FoundSession,
  type FoundSymbol,
  findFilesMethod,
  findSessionsMethod,
  findSymbolsMethod,
  type PromptServerOptions,
} from '../shared/prompt/promptProtocol';
import { asArray, isObject } from '../util/json';
import { FolderSearch, type Match } from './folderSearch';
import { filePathOf, type Prompt } from './prompts';

export interface Matches {
  readonly matches: readonly Match[];
  /** There are no others, whatever is typed behind the query. */
  readonly isWhole: boolean;
}

const filesRequest = new RequestType<FindParams, unknown, void>(findFilesMethod);
const sessionsRequest = new RequestType<FindParams, unknown, void>(findSessionsMethod);
const symbolsRequest = new RequestType<FindParams, unknown, void>(findSymbolsMethod);

/** As many as a symbol's name is looked for among. */
const mostSymbols = 20;

/** Finds files, symbols and sessions: through the client when it can, files also without it. */
export class Search {
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
        return { matches: found.flatMap(matchOf).slice(0, limit), isWhole: false };
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

  /** The symbol that a mention names. */
  async symbol(
    prompt: Prompt,
    name: string,
    token?: CancellationToken,
  ): Promise<FoundSymbol | undefined> {
    const found = await this.symbols(prompt, name, mostSymbols, token);
    return found.find((symbol) => symbol.name === name);
  }

  /** Begins to read folders that will be asked for. */
  prepare(roots: readonly string[]): void {
    if (this.options.findsFiles !== true) {
      this.#folders.prepare(roots);
    }
  }

  /** Files came or went. */
  expire(): void {
    this.#folders.expire();
  }

  /** What the client finds, without what isn't of its shape. */
  async #found<T>(
    request: RequestType<FindParams, unknown, void>,
    isFound: (value: unknown) => value is T,
    params: FindParams,
    token: CancellationToken | undefined,
  ): Promise<readonly T[]> {
    const found = await this.#ask(request, params, token);
    return (found ?? []).filter(isFound).slice(0, params.limit);
  }

  /** Nothing when the client has no answer. */
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

function matchOf(found: unknown): readonly Match[] {
  const uri = isObject(found) && typeof found['uri'] === 'string' ? found['uri'] : '';
  const path = filePathOf(uri);
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

function isSymbol(found: unknown): found is FoundSymbol {
  return (
    isObject(found) &&
    typeof found['name'] === 'string' &&
    typeof found['kind'] === 'number' &&
    typeof found['uri'] === 'string' &&
    typeof found['line'] === 'number'
  );
}
