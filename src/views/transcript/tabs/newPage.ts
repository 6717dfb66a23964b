import * as l10n from '@vscode/l10n';
import { type Agent, isStartedHere } from '../../../model/agent';
import { describeFailure } from '../../../model/failures/failures';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { RealPath, Workspace, WorkspaceFolder } from '../../../model/ports';
import { SessionReach } from '../../../model/requests/sessionReach';
import { Preparation, type PreparationParts } from '../../../model/session/preparation';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import { showErrorMessage } from '../../../platform/ui/messages';
import { failureText } from '../../../shared/failure';
import type { Choice } from '../../../shared/transcript/config';
import type { FirstChoiceKind, FirstChoices } from '../../../shared/transcript/firstChoices';
import {
  type Draft,
  emptyDraft,
  type QueuedPrompt,
  type Turn,
} from '../../../shared/transcript/prompt';
import type { Phase, SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';
import type { MadePlace, PlaceWish, ProvidedPlaces } from './newPlaces';
import type { Beginning, PanelSession } from './panelSession';
import { standIn } from './standIn';
import { WantedPlace } from './wantedPlace';

/** Where a session begins. */
export interface FirstPlace {
  readonly agent: Agent;
  readonly folder: WorkspaceFolder;
  /** Whether another place is made for it there, such as a worktree. */
  readonly isMade?: boolean;
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
  /** The user has changed whether a place is made. */
  changed(page: NewPage): void;
  /** What its composer holds. */
  draftOf(page: NewPage): Draft;
  /** What its composer holds is this. */
  writes(page: NewPage, draft: Draft): void;
  closed(page: NewPage): void;
}

const idle: Turn = { kind: 'idle' };
const beginning: Turn = { kind: 'running', cancelling: false, canForce: false };
const maxPath = 500;
/** Before the path of the folder that a place is made for; no path begins like that. */
const made = 'made:';

/**
 * A session's page before the session: its composer has the agent and the folder, too. The first prompt begins the
 * session; what is sent meanwhile is queued, and goes back to the composer if the session can't begin.
 */
export class NewPage implements Beginning {
  readonly id: string;
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
  #preparation: Preparation;
  #queue: readonly QueuedPrompt[] = [];
  #isBeginning = false;
  #nextId = 1;

  constructor(id: string, { agent, folder, isMade = false }: FirstPlace, parts: NewPageParts) {
    this.id = id;
    this.#parts = parts;
    this.#preparation = new Preparation(agent, folder, parts, () => this.#changed.fire());
    this.#place = new WantedPlace(parts.newPlaces, () => this.#changed.fire());
    this.session = toSession(this);
    void this.#place.look(this.#folders());
    if (isMade) {
      void this.#want(folder);
    }
  }

  get agent(): Agent {
    return this.#preparation.agent.current;
  }

  get folder(): WorkspaceFolder {
    return this.#preparation.folder;
  }

  /** Whether a place is made for its session. */
  get isMade(): boolean {
    return this.#place.isWanted;
  }

  get phase(): Phase {
    return this.#preparation.phase;
  }

  get facts(): PanelSession['facts'] {
    return this.#preparation.facts;
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
    const places = folders.map(
      (one): Choice => ({
        value: one.path,
        name: one.name || cleanText(one.path, maxPath),
        description: cleanText(one.path, maxPath),
      }),
    );
    const description = l10n.t('Made when the first prompt is sent');
    const offered = isStartedHere(agent) ? folders : [];
    const others = offered.flatMap((one): readonly Choice[] => {
      const name = this.#place.nameFor(one);
      return name === undefined ? [] : [{ value: `${made}${one.path}`, name, description }];
    });
    const facts = this.#place.facts(this.#wish);
    return {
      agent: {
        value: agent.id,
        choices: this.#parts.agents().map(({ id, title }) => ({ value: id, name: title })),
      },
      folder: {
        value: this.isMade ? `${made}${folder.path}` : folder.path,
        choices: [...places, ...others],
      },
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

  load(): Promise<void> {
    return this.#preparation.load();
  }

  cancel(): void {
    this.#preparation.cancel();
  }

  setMode(modeId: string): Promise<void> {
    return this.#preparation.setMode(modeId);
  }

  setConfigOption(configId: string, value: string | boolean): Promise<void> {
    return this.#preparation.setConfigOption(configId, value);
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
    const begun = await this.#begin();
    const isPrompted = this.#queue.length > 0;
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const { draft } = first;
      const sent = await (begun?.place?.moved(draft) ?? draft);
      this.#queue = this.#queue.slice(1);
      if (begun === undefined) {
        this.#returned.fire(draft);
      } else {
        begun.session.turns.submit(sent);
      }
    }
    this.#isBeginning = false;
    this.#changed.fire();
    await (begun && this.shows(begun.session, isPrompted));
    return begun?.session;
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
    await this.#preparation.end();
  }

  get #wish(): PlaceWish {
    return { draft: this.#queue[0]?.draft ?? this.#parts.draftOf(this), agents: [] };
  }

  /** The session, and the place that was made for it; `undefined` if it can't begin. */
  async #begin(): Promise<
    { readonly session: Session; readonly place: MadePlace | undefined } | undefined
  > {
    let place: MadePlace | undefined;
    const find = async (signal: AbortSignal): Promise<WorkspaceFolder | undefined> => {
      const [make] = (await this.#place.settle(this.#wish)) ?? [];
      place = await make?.(signal);
      return place?.folder;
    };
    const session = await this.#preparation.begin(this.isMade ? find : undefined);
    if (session === undefined && place !== undefined) {
      await this.#goOnIn(place);
    }
    return session && { session, place };
  }

  /** The session couldn't begin in the place that was made for it, so that it can only be tried there again. */
  async #goOnIn({ folder }: MadePlace): Promise<void> {
    const { phase } = this;
    if (phase.kind === 'failed') {
      const said = failureText(phase.failure);
      void showErrorMessage(
        l10n.t('{0} is there, but the session couldn’t begin: {1}', folder.name, said),
      );
    }
    this.#place.leave();
    await this.#move(this.agent, folder);
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
        this.#place.leave();
      }
      await this.#move(chosen, folder);
    }
  }

  async #chooseFolder(value: string): Promise<void> {
    const path = value.startsWith(made) ? value.slice(made.length) : value;
    const wanted = this.#folders().find((folder) => folder.path === path);
    const folder = wanted && (await this.#parts.folderFor(this.agent, wanted));
    if (folder === undefined || this.#isBeginning) {
      return;
    }
    this.#place.leave();
    const isMade = value !== path && isStartedHere(this.agent);
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

  async #move(agent: Agent, folder: WorkspaceFolder): Promise<void> {
    const from = toSavedTranscript(this.session);
    const before = this.#preparation;
    this.#preparation = new Preparation(agent, folder, this.#parts, () => this.#changed.fire());
    this.#parts.moved(this, from);
    void before.end();
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
