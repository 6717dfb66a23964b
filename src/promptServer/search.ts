import { type CancellationToken, type Connection, RequestType } from 'vscode-languageserver/node';
import {
  type FindParams,
  type FoundSymbol,
  findFilesMethod,
  findSymbolsMethod,
  type PromptServerOptions,
} from '../shared/promptProtocol';
import { asArray, isObject } from '../util/json';
import { FolderSearch, type Match } from './folderSearch';
import { filePathOf, type Prompt } from './prompts';

export interface Matches {
  readonly matches: readonly Match[];
  /** There are no others, whatever is typed behind the query. */
  readonly isWhole: boolean;
}

const filesRequest = new RequestType<FindParams, unknown, void>(findFilesMethod);
const symbolsRequest = new RequestType<FindParams, unknown, void>(findSymbolsMethod);

/** Finds files and symbols: through the client when it can, files also without it. */
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
    if (this.options.findsSymbols !== true) {
      return [];
    }
    const found = await this.#ask(symbolsRequest, { uri, query, limit }, token);
    return (found ?? []).filter(isSymbol).slice(0, limit);
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

function isSymbol(found: unknown): found is FoundSymbol {
  return (
    isObject(found) &&
    typeof found['name'] === 'string' &&
    typeof found['kind'] === 'number' &&
    typeof found['uri'] === 'string' &&
    typeof found['line'] === 'number'
  );
}
