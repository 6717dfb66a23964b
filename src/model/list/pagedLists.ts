import type { SessionInfo } from '../../protocol/agentConnection';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { Disposable } from '../../util/disposable';
import type { Emitter } from '../../util/emitter';
import type { Agent, AgentLists, SessionList } from '../agent';
import { isInside } from '../files/roots';
import type { Log, RealPath, Workspace, WorkspaceFolder } from '../ports';
import type { SessionListLimits } from './listing';
import type { PromptTitles } from './promptTitles';
import type { RememberedLists } from './rememberedLists';
import type { RememberedSessions } from './rememberedSessions';
import { applyInfoPatch } from './sessionInfo';
import { PagedSessionList } from './sessionList';

export interface ListServices {
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly realPath: RealPath;
  readonly log: Log;
  readonly listLimits: SessionListLimits;
  readonly remembered: Pick<RememberedSessions, 'of'>;
  readonly lists: Pick<RememberedLists, 'of'>;
  readonly promptTitles: Pick<PromptTitles, 'of'>;
  /** Fires when pages have changed one of the lists as a whole. */
  readonly listed: Pick<Emitter<SessionList>, 'fire'>;
}

/** The lists of one agent: of each folder that was looked at, and of all folders. */
export class PagedLists implements AgentLists, Disposable {
  readonly #agent: Agent;
  readonly #services: ListServices;
  /** The lists by the folder's path; `undefined` stands for all folders. */
  readonly #lists = new Map<string | undefined, PagedSessionList>();
  /** Open sessions that were created here, for lists that don't exist yet. */
  readonly #made = new Map<string, SessionInfo>();
  readonly #hidden = new Set<string>();
  #includesArchived = false;

  constructor(agent: Agent, services: ListServices) {
    this.#agent = agent;
    this.#services = services;
  }

  get all(): readonly PagedSessionList[] {
    return [...this.#lists.values()];
  }

  /** The list of one folder, or of all folders; always the same object for the same folder. */
  of(folder: WorkspaceFolder | undefined): PagedSessionList {
    const existing = this.#lists.get(folder?.path);
    if (existing !== undefined) {
      return existing;
    }
    const agent = this.#agent;
    const { realPath, log, listLimits, remembered: known, listed } = this.#services;
    const { workspace, lists, promptTitles } = this.#services;
    const remembered = (): readonly SessionInfo[] =>
      known.of(agent.id).filter((info) => this.#belongsIn(info, folder?.path));
    const list = new PagedSessionList(agent, folder, realPath, log, listLimits, {
      remembered,
      recalled: () =>
        workspace.trusted ? [...lists.of(agent.config, folder?.path), ...remembered()] : [],
      promptTitle: (sessionId) => promptTitles.of({ agentId: agent.id, sessionId }),
      isHidden: (sessionId) => this.#hidden.has(sessionId),
    });
    list.onDidChange(({ type }) => {
      if (type === 'rows') {
        listed.fire(list);
      }
    });
    this.#lists.set(folder?.path, list);
    if (this.#includesArchived) {
      list.includeArchived();
    }
    for (const info of this.#made.values()) {
      this.#hold(list, info);
    }
    return list;
  }

  push(sessionId: string, patch: SessionInfoPatch): void {
    if (this.#hidden.has(sessionId)) {
      return;
    }
    const made = this.#made.get(sessionId);
    if (made !== undefined) {
      this.#made.set(sessionId, applyInfoPatch(made, patch));
    }
    this.#each((list) => list.push(sessionId, patch));
  }

  changed(): void {
    this.#each((list) => list.agentChangedIt());
  }

  add(info: SessionInfo): void {
    this.#made.set(info.sessionId, info);
    this.#each((list) => this.#hold(list, info));
  }

  hide(sessionId: string, isHidden: boolean): void {
    if (isHidden) {
      this.#hidden.add(sessionId);
      // A list may have been read before the agent's answer.
      this.remove(sessionId);
    } else {
      this.#hidden.delete(sessionId);
    }
  }

  lookFor(sessionId: string): void {
    this.#each((list) => list.lookFor(sessionId));
  }

  letGo(sessionId: string): void {
    this.#made.delete(sessionId);
    this.#each((list) => list.letGo(sessionId));
  }

  setArchived(sessionId: string, archived: boolean): void {
    if (archived) {
      this.#made.delete(sessionId);
    }
    this.#each((list) => list.setArchived(sessionId, archived));
  }

  remove(sessionId: string): void {
    this.#made.delete(sessionId);
    this.#each((list) => list.remove(sessionId));
  }

  /** Includes archived sessions from now on. */
  includeArchived(): void {
    this.#includesArchived = true;
    this.#each((list) => list.includeArchived());
  }

  /** The remembered sessions of the agent have changed. */
  rememberedChanged(): void {
    this.#each((list) => list.rememberedChanged());
  }

  /** The workspace's folders or its trust have changed. */
  workspaceChanged(): void {
    const { workspace } = this.#services;
    const open = new Set(workspace.folders.map((folder) => folder.path));
    for (const [path, list] of this.#lists) {
      if (path !== undefined && !open.has(path)) {
        list.dispose();
        this.#lists.delete(path);
      }
    }
    if (workspace.trusted) {
      this.#each((list) => list.trustGranted());
    }
  }

  /** The agent is running (again). */
  agentReady(): void {
    this.#each((list) => list.agentReady());
  }

  dispose(): void {
    this.#each((list) => list.dispose());
    this.#lists.clear();
  }

  #each(tell: (list: PagedSessionList) => void): void {
    for (const list of this.#lists.values()) {
      tell(list);
    }
  }

  #hold(list: PagedSessionList, info: SessionInfo): void {
    if (this.#belongsIn(info, list.folder?.path)) {
      list.hold(info);
    }
  }

  #belongsIn(info: SessionInfo, folder: string | undefined): boolean {
    return (
      folder === undefined || (isInside(info.cwd, [folder]) && !this.#hasOwnList(info, folder))
    );
  }

  /** A worktree may lie inside the folder above it: its sessions belong to its own list. */
  #hasOwnList({ cwd }: SessionInfo, above: string): boolean {
    return [...this.#lists.keys()].some(
      (path) =>
        path !== undefined && path !== above && isInside(path, [above]) && isInside(cwd, [path]),
    );
  }
}
