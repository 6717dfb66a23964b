import * as l10n from '@vscode/l10n';
import { type Agent, isStartedHere } from '../../../model/agent';
import { describeFailure } from '../../../model/failures/failures';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { Origin } from '../../../model/marks/origin';
import type { RealPath, SessionDefaults, Workspace, WorkspaceFolder } from '../../../model/ports';
import { SessionReach } from '../../../model/requests/sessionReach';
import { Preparation, type PreparationParts } from '../../../model/session/preparation';
import type { Session } from '../../../model/session/session';
import { showErrorMessage } from '../../../platform/ui/messages';
import { failureText } from '../../../shared/failure';
import type { FirstChoiceKind, FirstChoices } from '../../../shared/transcript/firstChoices';
import {
  type Draft,
  emptyDraft,
  type QueuedPrompt,
  type Turn,
} from '../../../shared/transcript/prompt';
import type { Phase, SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';
import { AskedAgents, maxAsked } from './askedAgents';
import { type BegunSession, beginEach, draftFor, sayFailed } from './beginEach';
import type { PlaceWish, ProvidedPlaces } from './newPlaces';
import type { Beginning, PanelSession } from './panelSession';
import { folderChoices, madeChoices, placeValue, readPlaceValue } from './placeChoices';
import { standIn } from './standIn';
import { WantedPlace } from './wantedPlace';

/** Where a session begins. */
export interface FirstPlace {
  readonly agent: Agent;
  readonly folder: WorkspaceFolder;
  /** Whether another place is made for it there, such as a worktree. */
  readonly isMade?: boolean;
  /** Other agents that get the same prompt, with what is chosen for them. */
  readonly others?: readonly OtherAgent[];
  /** The session that it continues. */
  readonly origin?: Origin | undefined;
}

interface OtherAgent {
  readonly agent: Agent;
  readonly choices: SessionDefaults;
}

export interface NewPageParts extends PreparationParts {
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly realPath: RealPath;
  readonly newPlaces: ProvidedPlaces;
  /** The agents that can be chosen. */
  agents(): readonly Agent[];
  /** Where a session of this agent can begin: in this folder of the window if it can; `undefined` if the user doesn't say. */
  folderFor(agent: Agent, ours?: WorkspaceFolder): Promise<WorkspaceFolder | undefined>;
  /** The user has chosen another place. */
  moved(page: NewPage, from: SavedTranscript): void;
  /** The user has changed whether a place is made, or which other agents are asked. */
  changed(page: NewPage): void;
  /** A session has begun in it. */
  began(page: NewPage, session: Session): Promise<void>;
  /** What its composer holds. */
  draftOf(page: NewPage): Draft;
  /** What its composer holds is this. */
  writes(page: NewPage, draft: Draft): void;
  closed(page: NewPage): void;
}

const idle: Turn = { kind: 'idle' };
const beginning: Turn = { kind: 'running', cancelling: false, canForce: false };

/**
 * A session's page before the session: its composer has the agent and the folder, too. The first prompt begins the
 * session; what is sent meanwhile is queued, and goes back to the composer if the session can't begin.
 */
export class NewPage implements Beginning {
  readonly id: string;
  /** The session that its own one continues. */
  readonly origin: Origin | undefined;
  /** What its tab shows. */
  readonly session: PanelSession;
  readonly #parts: NewPageParts;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Shows the session in place of the page; `isPrompted`: it has got the prompts of the composer. */
  shows: (session: Session, isPrompted: boolean) => Promise<void> = () => Promise.resolve();
  readonly #returned = new Emitter<Draft>();
  /** A prompt that couldn't begin the session. */
  readonly onDidReturn = this.#returned.event;
  readonly #place: WantedPlace;
  readonly #asked: AskedAgents;
  #queue: readonly QueuedPrompt[] = [];
  #isBeginning = false;
  #nextId = 1;

  constructor(id: string, first: FirstPlace, parts: NewPageParts) {
    const { agent, folder, isMade = false, others = [] } = first;
    this.id = id;
    this.origin = first.origin;
    this.#parts = parts;
    this.#asked = new AskedAgents(this.#prepare(agent, folder));
    const [key = ''] = this.#asked.keys;
    for (const other of others) {
      this.#asked.add(this.#prepare(other.agent, folder, other.choices));
    }
    this.#asked.show(key);
    this.#place = new WantedPlace(parts.newPlaces, () => this.#changed.fire());
    this.session = toSession(this);
    void this.#place.look(this.#folders());
    if (isMade) {
      void this.#want(folder);
    }
  }

  get agent(): Agent {
    return this.#asked.shown.agent.current;
  }

  get folder(): WorkspaceFolder {
    return this.#asked.shown.folder;
  }

  /** Whether a place is made for its session. */
  get isMade(): boolean {
    return this.#place.isWanted;
  }

  /** The agents that get the same prompt, without the one whose options are shown. */
  get others(): readonly Preparation[] {
    return this.#asked.all.filter((one) => one !== this.#asked.shown);
  }

  get phase(): Phase {
    return this.#asked.shown.phase;
  }

  get facts(): PanelSession['facts'] {
    return this.#asked.shown.facts;
  }

  get turn(): Turn {
    return this.#isBeginning ? beginning : idle;
  }

  get queue(): readonly QueuedPrompt[] {
    return this.#queue;
  }

  /** The folder and what is in it, for what the user attaches. */
  get reach(): Pick<SessionReach, 'has'> {
    const { path } = this.folder;
    return new SessionReach({
      folders: [path],
      chosen: () => [path],
      workspace: this.#parts.workspace,
      realPath: this.#parts.realPath,
      ask: () => Promise.resolve(false),
    });
  }

  get choices(): FirstChoices {
    const { agent, folder } = this;
    const folders = this.#folders();
    const others = isStartedHere(agent) ? madeChoices(folders, this.#place) : [];
    const facts = this.#place.facts(this.#wish);
    const { choices: several } = this.#asked;
    const agents = this.#parts.agents().filter((one) => !several || isStartedHere(one));
    return {
      agent: {
        value: agent.id,
        choices: agents.map(({ id, title }) => ({ value: id, name: title })),
      },
      folder: {
        value: placeValue(folder, this.isMade),
        choices: several ? others : [...folderChoices(folders), ...others],
      },
      ...(several && { several }),
      ...(this.#canAdd && { canAdd: true }),
      ...(facts.length > 0 && { facts }),
    };
  }

  /** The user has chosen an agent or a place, or changes a fact of it; anything that isn't offered is ignored. */
  async choose(kind: FirstChoiceKind, value: string): Promise<void> {
    switch (kind) {
      case 'agent':
        await this.#chooseAgent(value);
        break;
      case 'folder':
        await this.#chooseFolder(value);
        break;
      case 'fact':
        await this.#place.change(value, this.#wish);
        break;
      case 'add':
        await this.#add();
        break;
      case 'show':
        this.#moved(() => this.#asked.show(value));
        break;
      case 'remove':
        this.#moved(() => void this.#asked.remove(value)?.end());
        break;
    }
    this.#changed.fire();
  }

  /** What its composer holds has changed. */
  wrote(): void {
    if (this.isMade) {
      this.#changed.fire();
    }
  }

  /** Something of its agent has changed, such as its title. */
  refresh(): void {
    this.#changed.fire();
  }

  /** What failed before at an agent may work now. */
  restarted({ id }: Agent): void {
    for (const one of this.#asked.all) {
      if (one.agent.id === id && one.phase.kind === 'failed') {
        void one.load();
      }
    }
  }

  async load(): Promise<void> {
    await Promise.all(this.#asked.all.map((one) => one.load()));
  }

  cancel(): void {
    for (const one of this.#asked.all) {
      one.cancel();
    }
  }

  setMode(modeId: string): Promise<void> {
    return this.#asked.shown.setMode(modeId);
  }

  setConfigOption(configId: string, value: string | boolean): Promise<void> {
    return this.#asked.shown.setConfigOption(configId, value);
  }

  submit(draft: Draft): QueuedPrompt {
    const queued = { id: this.#nextId++, draft };
    this.#queue = [...this.#queue, queued];
    this.#parts.writes(this, emptyDraft);
    void this.begin();
    this.#changed.fire();
    return queued;
  }

  /** Begins the session, and sends what was submitted. `undefined` if it can't begin: the phase says why. Never rejects. */
  async begin(): Promise<Session | undefined> {
    if (this.#isBeginning) {
      return undefined;
    }
    this.#isBeginning = true;
    const [first] = this.#queue;
    const begun: BegunSession[] = [];
    const settle = () => this.#place.settle(this.#wish);
    const failed = await beginEach(
      this.#asked.all,
      this.isMade || this.#asked.all.length > 1 ? settle : undefined,
      async (one) => {
        begun.push(one);
        await this.#parts.began(this, one.session);
        // It works while the others begin.
        if (first !== undefined) {
          one.session.turns.submit(await draftFor(one, first.draft));
        }
      },
    );
    for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
      const { id, draft } = next;
      this.#queue = this.#queue.filter((queued) => queued.id !== id);
      if (begun.length === 0) {
        this.#returned.fire(draft);
      } else if (id !== first?.id) {
        for (const one of begun) {
          one.session.turns.submit(await draftFor(one, draft));
        }
      }
    }
    this.#isBeginning = false;
    await this.#lead(begun, failed, first !== undefined);
    return begun[0]?.session;
  }

  /** Takes a prompt back; without any, there is nothing to begin. */
  take(id: number): Draft | undefined {
    const taken = this.#queue.find((queued) => queued.id === id);
    this.#queue = this.#queue.filter((queued) => queued !== taken);
    if (this.#queue.length === 0) {
      this.cancel();
    }
    this.#changed.fire();
    return taken?.draft;
  }

  /** The page is closed, or its session has taken its place. */
  async close(): Promise<void> {
    this.#changed.dispose();
    const unsent = this.#queue.map(({ draft }) => draft);
    this.#queue = [];
    if (unsent.length > 0) {
      this.#parts.writes(this, {
        text: unsent.map(({ text }) => text).join('\n\n'),
        attachments: unsent.flatMap(({ attachments }) => attachments),
      });
    }
    this.#parts.closed(this);
    await Promise.all(this.#asked.all.map((one) => one.end()));
  }

  get #wish(): PlaceWish {
    const ids = this.#asked.all.map(({ agent }) => agent.id);
    const draft = this.#queue[0]?.draft ?? this.#parts.draftOf(this);
    return { draft, agents: ids.length > 1 ? ids : [] };
  }

  get #canAdd(): boolean {
    const canBeMade = this.#place.nameFor(this.folder) !== undefined;
    return canBeMade && isStartedHere(this.agent) && this.#asked.all.length < maxAsked;
  }

  /** Shows what has begun, or why nothing has. */
  async #lead(
    begun: readonly BegunSession[],
    failed: Awaited<ReturnType<typeof beginEach>>,
    isPrompted: boolean,
  ): Promise<void> {
    const [session, ...more] = begun;
    const [first] = failed;
    if (session !== undefined) {
      failed.forEach(sayFailed);
      await this.shows(session.session, isPrompted);
      await (more.length > 0 && this.#place.compare(begun.flatMap(({ place }) => place ?? [])));
      return;
    }
    if (first?.place !== undefined && this.#asked.all.length === 1) {
      // It can only be tried again there.
      sayFailed(first);
      this.#place.leave();
      await this.#move(this.agent, first.place.folder);
    } else if (first !== undefined) {
      this.#moved(() => this.#asked.showThis(first.preparation));
    }
    this.#changed.fire();
  }

  /** One more agent that gets the prompt: one that isn't asked yet, otherwise the same with another model. */
  async #add(): Promise<void> {
    if (!this.#canAdd || this.#isBeginning) {
      return;
    }
    const asked = new Set(this.#asked.all.map(({ agent }) => agent.id));
    const here = this.#parts.agents().filter(isStartedHere);
    const agent = here.find(({ id }) => !asked.has(id)) ?? this.agent;
    const added = this.#prepare(agent, this.folder);
    this.#moved(() => this.#asked.add(added));
    const planned = this.isMade ? undefined : this.#want(this.folder);
    await Promise.all([added.load(), planned]);
  }

  async #chooseAgent(id: string): Promise<void> {
    const chosen = this.#parts.agents().find((agent) => agent.id === id);
    if (chosen === undefined) {
      return;
    }
    // Nobody else has the folders of an agent on another machine.
    const ours = this.agent.config.remote === undefined ? this.folder : undefined;
    const folder = await this.#parts.folderFor(chosen, ours);
    if (folder !== undefined && !this.#isBeginning) {
      if (!isStartedHere(chosen)) {
        if (this.#asked.all.length > 1) {
          return;
        }
        this.#place.leave();
      }
      await this.#move(chosen, folder);
    }
  }

  async #chooseFolder(value: string): Promise<void> {
    const { path, isMade: wantsMade } = readPlaceValue(value);
    const wanted = this.#folders().find((folder) => folder.path === path);
    const folder = wanted && (await this.#parts.folderFor(this.agent, wanted));
    const isMade = wantsMade && isStartedHere(this.agent);
    const isOneForAll = !isMade && this.#asked.all.length > 1;
    if (folder === undefined || this.#isBeginning || isOneForAll) {
      return;
    }
    this.#place.leave();
    const planned = isMade ? this.#want(folder) : undefined;
    if (folder.path === this.folder.path) {
      this.#parts.changed(this);
    } else {
      await this.#move(this.agent, folder);
    }
    await planned;
  }

  /** Says why if there can be no place. */
  async #want(folder: WorkspaceFolder): Promise<void> {
    try {
      await this.#place.want(folder);
    } catch (error) {
      const { title, detail } = describeFailure(error, this.agent.title);
      void showErrorMessage(failureText({ title, detail }));
      // Several never work in one folder.
      for (const one of this.#asked.keepShown()) {
        void one.end();
      }
      this.#parts.changed(this);
    }
  }

  #folders(): readonly WorkspaceFolder[] {
    const { folder, agent } = this;
    const { folders } = this.#parts.workspace;
    const isOne = folders.some(({ path }) => path === folder.path);
    const isElsewhere = agent.config.remote !== undefined && !isOne;
    return isElsewhere ? [folder] : isOne ? folders : [folder, ...folders];
  }

  #prepare(agent: Agent, folder: WorkspaceFolder, choices?: SessionDefaults): Preparation {
    return new Preparation(agent, folder, this.#parts, () => this.#changed.fire(), choices);
  }

  /** What is shown is of another agent or folder: what was written goes along. */
  #moved(change: () => void): void {
    const from = toSavedTranscript(this.session);
    change();
    this.#parts.moved(this, from);
  }

  /** Another agent in the place of the one that is shown, and another folder for all. */
  async #move(agent: Agent, folder: WorkspaceFolder): Promise<void> {
    const { shown } = this.#asked;
    this.#moved(() => {
      const gone = this.#asked.replace((old) => {
        if (old === shown) {
          return this.#prepare(agent, folder, old.agent.id === agent.id ? old.own : undefined);
        }
        return old.folder.path === folder.path
          ? undefined
          : this.#prepare(old.agent, folder, old.own);
      });
      for (const one of gone) {
        void one.end();
      }
    });
    void this.#place.look(this.#folders());
    await this.load();
  }
}

function toSession(page: NewPage): PanelSession {
  const nothing = standIn();
  return {
    ...nothing,
    title: l10n.t('New Session'),
    writable: { kind: 'yes' },
    first: page,
    onDidChange: page.onDidChange,
    get agent() {
      return page.agent;
    },
    get info() {
      return { sessionId: page.id, cwd: page.folder.path, additionalDirectories: [] };
    },
    get phase() {
      return page.phase;
    },
    get facts() {
      return page.facts;
    },
    get acts() {
      return { reach: page.reach };
    },
    get turns() {
      return {
        ...nothing.turns,
        current: page.turn,
        queue: page.queue,
        submit: (draft: Draft) => page.submit(draft),
        removeQueued: (id: number) => page.take(id),
        cancel: () => page.cancel(),
      };
    },
    load: () => page.load(),
    reload: () => page.load(),
    cancelLoad: () => page.cancel(),
    close: () => page.close(),
    setMode: (modeId) => page.setMode(modeId),
    setConfigOption: (configId, value) => page.setConfigOption(configId, value),
  };
}
