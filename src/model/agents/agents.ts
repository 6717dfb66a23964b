import { isDeepStrictEqual } from 'node:util';
import type { AgentRequests } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { Agent, SessionList } from '../agent';
import { type SessionListLimits, sessionListLimits } from '../list/listing';
import type { PromptTitles } from '../list/promptTitles';
import type { RememberedLists } from '../list/rememberedLists';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { AgentConfig, AgentConfigProblem, Log, RealPath, Settings, Workspace } from '../ports';
import type { Connect } from './connect';
import { type AgentUpdate, ManagedAgent } from './managedAgent';
import { toldApart } from './toldApart';

export interface AgentsOptions {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly connect: Connect;
  readonly realPath: RealPath;
  readonly log: Log;
  readonly listLimits?: SessionListLimits;
  readonly remembered: RememberedSessions;
  readonly lists: Pick<RememberedLists, 'of' | 'removed'>;
  readonly promptTitles: Pick<PromptTitles, 'of'>;
}

/** What the agents' sessions have to do with their processes. */
export interface AgentServer {
  /** The handlers of an agent's requests. */
  getRequests(agent: Agent): AgentRequests;
  /** Whether an agent works on anything for the user. */
  isBusy(agent: Agent): boolean;
}

/** The configured agents. Starts none of them. */
export class Agents implements Disposable {
  readonly #options: AgentsOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when the set of agents or of problems has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #changedAgent = this.#store.add(new Emitter<Agent>());
  /** Fires when the state of one agent has changed. */
  readonly onDidChangeAgent = this.#changedAgent.event;
  readonly #restarted = this.#store.add(new Emitter<Agent>());
  /** Fires when an agent runs again because the user has restarted it. */
  readonly onDidRestart = this.#restarted.event;
  readonly #listed = this.#store.add(new Emitter<SessionList>());
  /** Fires when pages have changed a list as a whole. */
  readonly onDidList = this.#listed.event;
  readonly #updated = this.#store.add(new Emitter<AgentUpdate>());
  /** Fires for every `session/update`, in order of arrival. */
  readonly onDidUpdate = this.#updated.event;

  #server: AgentServer | undefined;
  #agents: readonly ManagedAgent[] = [];
  #titles: ReadonlyMap<string, string> = new Map();
  #includesArchived = false;
  #problems: readonly AgentConfigProblem[] = [];

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#readSettings();
    this.#store.add(
      options.settings.onDidChangeAgents(() => {
        this.#readSettings();
        this.#changed.fire();
      }),
    );
    this.#store.add(
      options.remembered.onDidChange((agentId) => {
        this.#agents.find(({ id }) => id === agentId)?.lists.rememberedChanged();
      }),
    );
    this.#store.add(
      options.workspace.onDidChange(() => {
        for (const agent of this.#agents) {
          agent.workspaceChanged();
        }
      }),
    );
  }

  /** All agents in the order of the settings, and then those that aren't there any more but can be read. */
  get all(): readonly Agent[] {
    return this.#agents;
  }

  /** The settings entries that can't be used. */
  get problems(): readonly AgentConfigProblem[] {
    return this.#problems;
  }

  /** Every list that exists, read or not. */
  get lists(): readonly SessionList[] {
    return this.#agents.flatMap(({ lists }) => lists.all);
  }

  get(id: string): Agent | undefined {
    return this.#agents.find((agent) => agent.id === id);
  }

  /** Called once, before the first agent is started. */
  serve(server: AgentServer): void {
    this.#server = server;
  }

  /** Some work may have ended: agents whose entries have changed meanwhile are replaced once theirs has. */
  workEnded(): void {
    if (this.#agents.some(({ changesLater }) => changesLater)) {
      // Not in the middle of what tells so.
      queueMicrotask(() => this.#replaceIdle());
    }
  }

  /** Drops the rows that are only remembered from all lists. */
  forgetRecalled(): void {
    for (const list of this.#agents.flatMap(({ lists }) => lists.all)) {
      list.forgetRecalled();
    }
  }

  /** Drops the agents that were known only from remembered lists, after lists were forgotten. */
  listsForgotten(): void {
    const before = this.#agents.length;
    this.#readSettings();
    if (this.#agents.length !== before) {
      this.#changed.fire();
    }
  }

  /** Includes archived sessions in all lists from now on. */
  includeArchived(): void {
    this.#includesArchived = true;
    for (const agent of this.#agents) {
      agent.lists.includeArchived();
    }
  }

  /** Stops all agents without waiting for their processes. */
  dispose(): void {
    void this.close();
  }

  /** Stops all agents; resolves when their processes have exited. */
  async close(): Promise<void> {
    this.#store.dispose();
    const ended = this.#agents;
    this.#agents = [];
    await Promise.all(ended.map((agent) => agent.end()));
  }

  #replaceIdle(): void {
    if (this.#agents.some((agent) => agent.changesLater && !this.#works(agent))) {
      this.#readSettings();
      this.#changed.fire();
    }
  }

  #works(agent: ManagedAgent): boolean {
    return agent.state.kind === 'ready' && this.#server?.isBusy(agent) === true;
  }

  /**
   * Keeps the agents whose settings entry is unchanged, with their processes, and until their work has ended those
   * whose entry has changed; ends the others.
   */
  #readSettings(): void {
    const { settings, workspace, lists } = this.#options;
    const { agents, problems } = settings.agents;
    const before = this.#agents;
    this.#problems = problems;
    // Without trust, VS Code leaves out the agents in the settings of the workspace.
    const removed = workspace.trusted
      ? lists.removed([...agents, ...problems].map(({ id }) => id))
      : [];
    this.#agents = [...agents, ...removed].map((config) => {
      const same = before.find((agent) =>
        isDeepStrictEqual(getProgram(agent.config), getProgram(config)),
      );
      if (same !== undefined) {
        same.config = config;
        same.changesLater = false;
        return same;
      }
      const working = before.find((agent) => agent.id === config.id && this.#works(agent));
      if (working !== undefined) {
        working.changesLater = true;
      }
      return working ?? this.#create(config);
    });
    this.#tellApart();
    for (const agent of before) {
      if (!this.#agents.includes(agent)) {
        void agent.end();
      }
    }
  }

  /** Which agents have another title now, because an agent of the same name has come, gone or said its name. */
  #tellApart(): readonly ManagedAgent[] {
    const before = this.#titles;
    this.#titles = toldApart(this.#agents);
    return this.#agents.filter(({ id }) => this.#titles.get(id) !== before.get(id));
  }

  #create(config: AgentConfig): ManagedAgent {
    const { workspace, connect, realPath, log, remembered, lists, promptTitles } = this.#options;
    const agent = new ManagedAgent(config, {
      workspace,
      connect,
      findTitle: ({ id }) => this.#titles.get(id),
      isOnly: () => this.#agents.length === 1,
      getRequests: (asking) => this.#mustServe(asking),
      findSuccessor: ({ id }) => this.get(id),
      onDidChangeState: (changed) => {
        const renamed = this.#tellApart().filter((one) => one !== changed);
        for (const one of [changed, ...renamed]) {
          this.#changedAgent.fire(one);
        }
        this.workEnded();
      },
      restarted: this.#restarted,
      listed: this.#listed,
      updated: this.#updated,
      realPath,
      log,
      listLimits: this.#options.listLimits ?? sessionListLimits,
      remembered,
      lists,
      promptTitles,
    });
    if (this.#includesArchived) {
      agent.lists.includeArchived();
    }
    return agent;
  }

  #mustServe(agent: Agent): AgentRequests {
    if (this.#server === undefined) {
      throw new AcpError('unsupported', 'No request handlers are set');
    }
    return this.#server.getRequests(agent);
  }
}

/** The parts of an entry that a running agent can't take over; on another machine, the folder is only that of new sessions. */
function getProgram(config: AgentConfig): object {
  const { id, title, command, args, env, cwd, remote, protocol = '1' } = config;
  return { id, title, command, args, env, remote, protocol, ...(remote === undefined && { cwd }) };
}
