import { createHash } from 'node:crypto';
import type { SessionInfo } from '../../protocol/agentConnection';
import { asArray, asString, isObject } from '../../util/json';
import type { AgentConfig, KeyedStorage } from '../ports';
import { rememberedSession } from './rememberedSession';

export const listsKey = 'sessions.lists';
/** Raised with each change of the format: a value of any other version is ignored. */
const version = 1;
export const maxLists = 20;
export const maxRows = 100;
/** UTF-16 units of an agent's title. */
export const maxTitleLength = 100;

/** The first rows of an agent's list as it was last read. */
export interface RememberedList {
  readonly agentId: string;
  /** The agent's title in the settings, if it isn't the id. */
  readonly title?: string;
  readonly program: string;
  /** The folder's path; empty for the list of all folders. */
  readonly folder: string;
  /** The sessions in the order of the list, each once. */
  readonly sessions: readonly SessionInfo[];
}

/** The lists of a workspace as its agents last told them, to be shown until they tell them again. */
export class RememberedLists {
  readonly #storage: KeyedStorage;
  readonly #settings: { readonly remembersLists: boolean };
  #stored: unknown;
  #all: readonly RememberedList[] = [];

  constructor(storage: KeyedStorage, settings: { readonly remembersLists: boolean }) {
    this.#storage = storage;
    this.#settings = settings;
  }

  /** What is stored; whatever isn't as this version writes it counts as not there. */
  get all(): readonly RememberedList[] {
    const stored = this.#storage.get(listsKey);
    if (stored !== this.#stored) {
      this.#stored = stored;
      this.#all = readLists(stored);
    }
    return this.#all;
  }

  /** The sessions of one list, in its order. `folder`: its path, `undefined` for all folders. */
  of(agent: AgentConfig, folder: string | undefined): readonly SessionInfo[] {
    if (!this.#settings.remembersLists) {
      return [];
    }
    const program = getProgram(agent);
    const list = this.all.find(
      (known) =>
        known.agentId === agent.id && known.program === program && known.folder === (folder ?? ''),
    );
    return list?.sessions ?? [];
  }

  /** The agents that aren't in the settings any more, and were listed before. `known`: the ids in the settings. */
  removed(known: readonly string[]): readonly AgentConfig[] {
    const others = this.#settings.remembersLists
      ? this.all.filter(({ agentId }) => !known.includes(agentId))
      : [];
    return [...new Map(others.map((list) => [list.agentId, removedAgent(list)])).values()];
  }

  /** Replaces everything. */
  async store(lists: readonly RememberedList[]): Promise<void> {
    await this.#storage.update(listsKey, lists.length === 0 ? undefined : { version, lists });
  }
}

/**
 * Tells programs apart that have been configured under the same id, and accounts of one program: variables decide whose
 * sessions it has. Arguments and variables may be secret, hence a hash. The folder of an agent on another machine is only
 * that of its new sessions.
 */
export function getProgram({ command, args, env, cwd, remote, removed }: AgentConfig): string {
  if (removed) {
    return removed.program;
  }
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([
    ...[command || remote?.url, args, remote ? undefined : cwd],
    ...(variables.length > 0 ? [variables] : []),
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function removedAgent({ agentId: id, title = id, program }: RememberedList): AgentConfig {
  return {
    ...{ id, title, command: '', args: [], env: {}, cwd: undefined },
    removed: { program },
  };
}

function readLists(stored: unknown): readonly RememberedList[] {
  if (!isObject(stored) || stored['version'] !== version) {
    return [];
  }
  return asArray(stored['lists'])
    .slice(-maxLists)
    .flatMap((list) => readList(list) ?? []);
}

function readList(value: unknown): RememberedList | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const agentId = asString(value['agentId']);
  const title = asString(value['title'])?.slice(0, maxTitleLength);
  const program = asString(value['program']);
  const folder = asString(value['folder']);
  const stored = asArray(value['sessions']);
  if (!agentId || !program || folder === undefined || stored.length > maxRows) {
    return undefined;
  }
  const sessions = stored.map(rememberedSession).filter((session) => session !== undefined);
  const ids = new Set(sessions.map(({ sessionId }) => sessionId));
  return ids.size === stored.length
    ? { agentId, ...(title && { title }), program, folder, sessions }
    : undefined;
}
