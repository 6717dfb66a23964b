import * as l10n from '@vscode/l10n';
import type { Agent } from '../../../model/agent';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { RealPath, Workspace, WorkspaceFolder } from '../../../model/ports';
import { SessionReach } from '../../../model/requests/sessionReach';
import { Preparation, type PreparationParts } from '../../../model/session/preparation';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
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
import type { Beginning, PanelSession } from './panelSession';
import { standIn } from './standIn';

/** Where a session begins. */
export interface FirstPlace {
  readonly agent: Agent;
  readonly folder: WorkspaceFolder;
}

export interface NewPageParts extends PreparationParts {
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly realPath: RealPath;
  /** The agents that can be chosen. */
  agents(): readonly Agent[];
  /** Where a session of this agent can begin: in this folder of the window if it can; `undefined` if the user doesn't say. */
  folderFor(agent: Agent, ours?: WorkspaceFolder): Promise<WorkspaceFolder | undefined>;
  /** The user has chosen another place. */
  moved(page: NewPage, from: SavedTranscript): void;
  /** What its composer holds is this. */
  writes(page: NewPage, draft: Draft): void;
  closed(page: NewPage): void;
}

const idle: Turn = { kind: 'idle' };
const beginning: Turn = { kind: 'running', cancelling: false, canForce: false };
const maxPath = 500;

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
  #preparation: Preparation;
  #queue: readonly QueuedPrompt[] = [];
  #isBeginning = false;
  #nextId = 1;

  constructor(id: string, { agent, folder }: FirstPlace, parts: NewPageParts) {
    this.id = id;
    this.#parts = parts;
    this.#preparation = new Preparation(agent, folder, parts, () => this.#changed.fire());
    this.session = toSession(this);
  }

  get agent(): Agent {
    return this.#preparation.agent.current;
  }

  get folder(): WorkspaceFolder {
    return this.#preparation.folder;
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
    const folders = this.#folders().map(
      (one): Choice => ({
        value: one.path,
        name: one.name || cleanText(one.path, maxPath),
        description: cleanText(one.path, maxPath),
      }),
    );
    return {
      agent: {
        value: agent.id,
        choices: this.#parts.agents().map(({ id, title }) => ({ value: id, name: title })),
      },
      folder: { value: folder.path, choices: folders },
    };
  }

  /** The user has chosen an agent or a folder; anything that isn't offered is ignored. */
  async choose(kind: FirstChoiceKind, value: string): Promise<void> {
    const { agent, folder } = this;
    const chosen = kind === 'agent' ? this.#parts.agents().find(({ id }) => id === value) : agent;
    const wanted = kind === 'folder' ? this.#folders().find(({ path }) => path === value) : folder;
    if (chosen !== undefined && wanted !== undefined) {
      // Nobody else has the folders of an agent on another machine.
      const ours = agent.config.remote === undefined || chosen === agent ? wanted : undefined;
      const place = await this.#parts.folderFor(chosen, ours);
      if (place !== undefined && !this.#isBeginning) {
        await this.#move(chosen, place);
      }
    }
    this.#changed.fire();
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
    const session = await this.#preparation.begin();
    this.#isBeginning = false;
    const queue = this.#queue;
    this.#queue = [];
    for (const { draft } of queue) {
      if (session === undefined) {
        this.#returned.fire(draft);
      } else {
        session.turns.submit(draft);
      }
    }
    this.#changed.fire();
    await (session && this.shows(session, queue.length > 0));
    return session;
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
