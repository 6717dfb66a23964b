import { randomUUID } from 'node:crypto';
import { type Agent, isConfigured } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import type { KeptWork } from '../../../model/kept/keptWork';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { SessionMarks } from '../../../model/marks/marks';
import type { KeyedStorage, Log, RealPath, Workspace, WorkspaceFolder } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import type { VsCodeSettings } from '../../../platform/settings/settings';
import { StoredMap, type StoredPlace, storedState } from '../../../platform/storage/storedState';
import { getRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { getStack } from '../../../util/getStack';
import { askRemoteFolder } from '../../dialogs/askRemoteFolder';
import { type FirstPlace, NewPage, type NewPageParts } from './newPage';
import type { ProvidedPlaces } from './newPlaces';

interface Services {
  readonly agents: Pick<
    Agents,
    'all' | 'get' | 'onDidChange' | 'onDidChangeAgent' | 'onDidRestart'
  >;
  readonly sessions: Sessions;
  readonly workspace: Workspace;
  readonly settings: Pick<VsCodeSettings, 'changeAgent'>;
  readonly realPath: RealPath;
  readonly work: Pick<KeptWork, 'move' | 'getDraft' | 'setDraft'>;
  readonly marks: Pick<SessionMarks, 'setOrigin'>;
  readonly log: Log;
  readonly newPlaces: ProvidedPlaces;
  readonly state: KeyedStorage;
}

/** The record of the place where the last session began. */
const lastKey = 'last';

/** The pages of new sessions, with what is kept of them in this workspace: where they begin, and what was chosen last. */
export class NewPages implements Disposable {
  readonly #services: Services;
  readonly #places: StoredMap<StoredPlace>;
  readonly #open = new Map<string, NewPage>();
  readonly #store = new DisposableStore();
  readonly #parts: NewPageParts;

  constructor(services: Services) {
    this.#services = services;
    const { sessions, workspace, realPath, work, state, newPlaces } = services;
    this.#places = new StoredMap(state, storedState.newPages);
    this.#parts = {
      ...{ sessions, workspace, realPath, newPlaces },
      last: new StoredMap(state, storedState.firstOptions),
      agents: () => this.agents,
      folderFor: (agent, ours) => this.folderFor(agent, ours),
      moved: (page, from) => {
        this.#keep(page);
        work.move(from, toSavedTranscript(page.session));
      },
      changed: (page) => this.#keep(page),
      began: (page, session) => this.#began(page, session),
      draftOf: ({ agent, id }) => work.getDraft(agent.id, id).draft,
      writes: (page, draft) => work.setDraft(toSavedTranscript(page.session), draft),
      closed: (page) => this.#open.delete(page.id),
    };
    const { agents } = services;
    const refresh = (): void => {
      for (const page of this.#open.values()) {
        page.refresh();
      }
    };
    this.#store.add(agents.onDidChange(refresh));
    this.#store.add(agents.onDidChangeAgent(refresh));
    this.#store.add(agents.onDidRestart((agent) => this.#restarted(agent)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The agents that sessions can begin with: those of the settings. */
  get agents(): readonly Agent[] {
    return this.#services.agents.all.filter(isConfigured);
  }

  /** The agent of the last session that began in this workspace, otherwise the first one. */
  get lastAgent(): Agent | undefined {
    const last = this.#places.get(lastKey)?.agentId;
    return this.agents.find(({ id }) => id === last) ?? this.agents[0];
  }

  /** The folder of the last session that began in this workspace, otherwise the first one. */
  get lastFolder(): WorkspaceFolder | undefined {
    const { folders } = this.#services.workspace;
    const last = this.#places.get(lastKey)?.cwd;
    return folders.find(({ path }) => path === last) ?? folders[0];
  }

  /**
   * Where a session of this agent can begin: in this folder, or the last one. An agent on another machine has its own
   * folders, for which the user is asked once. `undefined` if they don't say, or if no folder is open.
   */
  async folderFor(
    agent: Agent,
    ours: WorkspaceFolder | undefined = this.lastFolder,
  ): Promise<WorkspaceFolder | undefined> {
    const { remote } = agent.config;
    return remote === undefined
      ? ours
      : askRemoteFolder(this.#services, agent, remote, () => Promise.resolve(ours));
  }

  /** A page for a session that begins here. */
  create(place: FirstPlace): NewPage {
    const page = new NewPage(randomUUID(), place, this.#parts);
    this.#keep(page);
    this.#add(page);
    return page;
  }

  /** The page with this id, as it was when this workspace was open last; `undefined` if there is none. */
  open(id: string): NewPage | undefined {
    const known = this.#open.get(id);
    const stored = this.#places.get(id);
    const agent = stored && (this.#services.agents.get(stored.agentId) ?? this.lastAgent);
    if (known !== undefined || stored === undefined || agent === undefined) {
      return known;
    }
    const { name, cwd: path, isMade = false } = stored;
    const others = (stored.others ?? []).flatMap(([agentId, choices]) => {
      const other = this.#services.agents.get(agentId);
      return other === undefined ? [] : [{ agent: other, choices }];
    });
    const { origin } = stored;
    const place = { agent, folder: { name, path }, isMade, others, origin };
    const page = new NewPage(id, place, this.#parts);
    this.#add(page);
    return page;
  }

  /** Its session has begun: nothing leads to the page any more. */
  begun(page: NewPage): void {
    this.#places.set(page.id, undefined);
    const { agentId, cwd, name } = toStored(page);
    this.#places.set(lastKey, { agentId, cwd, name });
  }

  /** The session exists, so an origin that can't be stored must not fail the whole. */
  async #began({ origin }: NewPage, session: Session): Promise<void> {
    const { marks, log } = this.#services;
    try {
      await (origin && marks.setOrigin(getRef(session), origin));
    } catch (error) {
      log.warn(`Which session another one continues could not be saved: ${getStack(error)}`);
    }
  }

  /** What failed before may work now. */
  #restarted(agent: Agent): void {
    for (const page of this.#open.values()) {
      page.restarted(agent);
    }
  }

  #add(page: NewPage): void {
    this.#open.set(page.id, page);
  }

  #keep(page: NewPage): void {
    this.#places.set(page.id, toStored(page));
  }
}

function toStored({ agent, folder, isMade, others, origin }: NewPage): StoredPlace {
  const place = {
    ...{ agentId: agent.id, cwd: folder.path, name: folder.name },
    ...(origin && { origin }),
  };
  return isMade
    ? { ...place, isMade, others: others.map((one) => [one.agent.id, one.own]) }
    : place;
}
