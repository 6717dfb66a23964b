import { isDeepStrictEqual } from 'node:util';
import { isConfigured, type SessionList, type SessionRow } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import {
  getProgram,
  maxLists,
  maxRows,
  maxTitleLength,
  type RememberedList,
  type RememberedLists,
} from '../../../model/list/rememberedLists';
import { rememberedSession } from '../../../model/list/rememberedSession';
import type { AgentConfig, Log, Workspace } from '../../../model/ports';
import type { Sessions } from '../../../model/session/sessions';
import type { SessionInfo } from '../../../protocol/agentConnection';
import type { SessionRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { Event } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import { isStreaming } from './isStreaming';
import type { TranscriptCache } from './transcriptCache';

/** How long changes are gathered before they are stored, in ms. */
const gatherMs = 2_000;
/** UTF-16 units of all lists together: VS Code writes its state as a whole, with every change of it. */
const maxUnits = 200_000;
/** UTF-16 units of one session. */
const maxSessionUnits = 4_000;

export interface ListMemoryParts {
  readonly agents: Pick<
    Agents,
    | 'all'
    | 'get'
    | 'lists'
    | 'problems'
    | 'forgetRecalled'
    | 'listsForgotten'
    | 'onDidChange'
    | 'onDidList'
  >;
  readonly sessions: Pick<Sessions, 'all' | 'onDidDelete'>;
  readonly workspace: Pick<Workspace, 'trusted'>;
  readonly lists: RememberedLists;
  readonly transcriptCache: Pick<TranscriptCache, 'among'>;
  readonly settings: {
    readonly remembersLists: boolean;
    readonly onDidChangeRemembersLists: Event<void>;
  };
  readonly log: Log;
}

/**
 * Stores the first rows of each list after its agent has told them, rarely and never while a session streams. Each
 * time, what other windows have stored meanwhile is read first.
 */
export class ListMemory implements Disposable {
  readonly #parts: ListMemoryParts;
  readonly #store = new DisposableStore();
  /** The lists that have changed since they were last stored. */
  readonly #changed = new Set<SessionList>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ListMemoryParts) {
    this.#parts = parts;
    const { agents, sessions, settings } = parts;
    this.#store.add(agents.onDidList((list) => this.#note(list)));
    this.#store.add(agents.onDidChange(() => this.keepConfigured()));
    this.#store.add(sessions.onDidDelete((session) => this.forget(session)));
    this.#store.add(settings.onDidChangeRemembersLists(() => this.settingChanged()));
    this.keepConfigured();
    this.#noteAll();
  }

  /** Forgets an agent that isn't configured any more. */
  forgetAgent(agentId: string): void {
    this.#replace((all) => all.filter((list) => list.agentId !== agentId));
    this.#parts.agents.listsForgotten();
  }

  /** Forgets everything, also what the views show only from memory. */
  clear(): void {
    this.#cancel();
    this.#replace(() => []);
    this.#parts.agents.forgetRecalled();
    this.#parts.agents.listsForgotten();
  }

  /** Stores what has changed. The window closes: VS Code still takes values, but waits for nothing. */
  end(): void {
    if (this.#timer !== undefined) {
      this.#write();
    }
  }

  dispose(): void {
    this.#cancel();
    this.#store.dispose();
  }

  #noteAll(): void {
    for (const list of this.#parts.agents.lists) {
      this.#note(list);
    }
  }

  /** The list has been read, or its rows have changed. */
  #note(list: SessionList): void {
    if (!this.#parts.settings.remembersLists || !isTold(list) || !isConfigured(list.agent)) {
      return;
    }
    this.#changed.add(list);
    this.#timer ??= setTimeout(() => this.#storeAtRest(), gatherMs);
  }

  /** The session was deleted. */
  forget({ agentId, sessionId }: SessionRef): void {
    this.#replace((all) =>
      all.map((list) =>
        list.agentId === agentId
          ? { ...list, sessions: list.sessions.filter((other) => other.sessionId !== sessionId) }
          : list,
      ),
    );
  }

  /**
   * Forgets agents that have become another program, and of those that aren't configured any more what can't be read
   * without them.
   */
  keepConfigured(): void {
    const { agents, workspace } = this.#parts;
    // Without trust, VS Code leaves out the agents in the settings of the workspace.
    if (!workspace.trusted) {
      return;
    }
    const programs = new Map(agents.all.map(({ id, config }) => [id, getProgram(config)]));
    const unusable = new Set(agents.problems.map(({ id }) => id));
    this.#replace((all) =>
      all.filter(
        ({ agentId, program }) => unusable.has(agentId) || programs.get(agentId) === program,
      ),
    );
    for (const { config } of agents.all) {
      if (config.removed !== undefined) {
        void this.#keepCached(config);
      }
    }
  }

  /** The user's setting has changed. */
  settingChanged(): void {
    if (this.#parts.settings.remembersLists) {
      this.#noteAll();
    } else {
      this.clear();
    }
  }

  async #keepCached(agent: AgentConfig): Promise<void> {
    const { agents, lists, transcriptCache } = this.#parts;
    const program = getProgram(agent);
    const own = ({ agentId, program: other }: RememberedList): boolean =>
      agentId === agent.id && other === program;
    const ids = lists.all.filter(own).flatMap(({ sessions }) => sessions.map(getId));
    const cached = await transcriptCache.among(agent.id, program, ids);
    if (agents.all.some(({ config }) => config === agent)) {
      this.#replace((all) =>
        all.map((list) =>
          own(list)
            ? { ...list, sessions: list.sessions.filter((session) => cached.has(getId(session))) }
            : list,
        ),
      );
      if (cached.size === 0) {
        agents.listsForgotten();
      }
    }
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  #storeAtRest(): void {
    if (this.#parts.sessions.all.some(isStreaming)) {
      this.#timer = setTimeout(() => this.#storeAtRest(), gatherMs);
    } else {
      this.#write();
    }
  }

  #write(): void {
    const { agents } = this.#parts;
    const due = [...this.#changed].filter((list) => agents.get(list.agent.id) === list.agent);
    this.#cancel();
    this.#replace((all) => bounded(due.reduce(withList, all)));
  }

  /** Stores what `change` makes of the stored lists, if that is something else; without empty lists. */
  #replace(change: (all: readonly RememberedList[]) => readonly RememberedList[]): void {
    const { lists, log } = this.#parts;
    const before = lists.all;
    const after = change(before).filter(({ sessions }) => sessions.length > 0);
    if (!isDeepStrictEqual(after, before)) {
      lists.store(after).catch((error: unknown) => {
        log.warn(`lists were not remembered: ${getStack(error)}`);
      });
    }
  }
}

/** Whether the agent has told in this window what the list holds. */
function isTold({ state }: SessionList): boolean {
  return state.kind === 'loaded' || state.kind === 'unsupported';
}

function getId({ sessionId }: SessionInfo): string {
  return sessionId;
}

/** Adds the list as the newest one, unless it is already there as it is now. */
function withList(all: readonly RememberedList[], list: SessionList): readonly RememberedList[] {
  const { id: agentId, config } = list.agent;
  const folder = list.folder?.path ?? '';
  const sessions = getParts(list.rows);
  const title = config.title === agentId ? undefined : config.title.slice(0, maxTitleLength);
  const now = {
    agentId,
    ...(title && { title }),
    ...{ program: getProgram(config), folder, sessions },
  };
  const isSamePlace = (other: RememberedList): boolean =>
    other.agentId === agentId && other.folder === folder;
  return all.some((other) => isDeepStrictEqual(other, now))
    ? all
    : [...all.filter((other) => !isSamePlace(other)), now];
}

/**
 * Only what the agent itself has listed in this window, and the user has come to: what would be remembered again without
 * that would never end. For an agent that can't list, these are the sessions that were opened here: they can be read after
 * it was removed from the settings, like those of others.
 */
function getParts(rows: readonly SessionRow[]): readonly SessionInfo[] {
  return rows
    .filter(({ unlisted, ahead, info }) => !unlisted && !ahead && info.archived !== true)
    .slice(0, maxRows)
    .map(({ info, title }) =>
      // The title as a label: it is bounded, and looks the same when it is made a label again.
      rememberedSession(info.title === undefined ? info : { ...info, title }),
    )
    .filter((part) => part !== undefined)
    .filter((part) => JSON.stringify(part).length <= maxSessionUnits);
}

/** Drops the oldest lists that are too many, or too large together. */
function bounded(all: readonly RememberedList[]): readonly RememberedList[] {
  const kept: RememberedList[] = [];
  let units = 0;
  for (const list of all.toReversed().slice(0, maxLists)) {
    const size = JSON.stringify(list).length;
    if (units + size <= maxUnits) {
      units += size;
      kept.unshift(list);
    }
  }
  return kept;
}
