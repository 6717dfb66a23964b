import type { ConfigOption } from '../../shared/transcript/config';
import type { Phase } from '../../shared/transcript/webviewMessages';
import type { Disposable } from '../../util/disposable';
import type { Agent } from '../agent';
import { describeFailure } from '../failures/failures';
import type { SessionDefaults, Workspace, WorkspaceFolder } from '../ports';
import { isCareful } from './carefulMode';
import { applyDefaults, optionFor } from './defaults';
import type { FirstOptions } from './firstOptions';
import type { Session } from './session';
import type { SessionFacts } from './sessionFacts';
import { type Sessions, trustedDefaults } from './sessions';

/** What the user has chosen last for new sessions of an agent. */
interface LastChoices {
  get(agentId: string): SessionDefaults | undefined;
  set(agentId: string, choices: SessionDefaults): void;
}

export interface PreparationParts {
  readonly sessions: Pick<Sessions, 'firstOptions' | 'prepare' | 'publish' | 'discard' | 'create'>;
  readonly workspace: Pick<Workspace, 'trusted'>;
  readonly last: LastChoices;
}

type Facts = Pick<
  SessionFacts,
  'commands' | 'configOptions' | 'modes' | 'usage' | 'limit' | 'suggestedPrompts' | 'systemPrompt'
>;

/**
 * A session of an agent in a folder until its first prompt is sent: its options, with what was chosen last in this
 * workspace, and with a failure if there is one. Agents that tell their options early are asked for nothing else before
 * that (T-140); others open a session for it, which nobody sees (T-161).
 */
export class Preparation {
  readonly agent: Agent;
  readonly folder: WorkspaceFolder;
  readonly #parts: PreparationParts;
  readonly #changed: () => void;
  /** What was chosen for this one, which may not be what was chosen last for its agent. */
  #own: SessionDefaults;
  #phase: Phase = { kind: 'loading', received: 0 };
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #told: FirstOptions | undefined;
  #chosen: readonly ConfigOption[] = [];
  #session: { readonly session: Session; readonly listeners: readonly Disposable[] } | undefined;

  /** `choices`: what is chosen for it already. */
  constructor(
    agent: Agent,
    folder: WorkspaceFolder,
    parts: PreparationParts,
    changed: () => void,
    choices: SessionDefaults = {},
  ) {
    this.#own = choices;
    this.agent = agent;
    this.folder = folder;
    this.#parts = parts;
    this.#changed = changed;
  }

  /** What was chosen for it. */
  get own(): SessionDefaults {
    return this.#own;
  }

  get phase(): Phase {
    const { state } = this.agent.current;
    return this.#phase.kind === 'loading' && state.kind === 'starting' && state.prints !== undefined
      ? { ...this.#phase, prints: state.prints }
      : this.#phase;
  }

  get facts(): Facts {
    return (
      this.#session?.session.facts ?? {
        commands: [],
        configOptions: this.#chosen,
        modes: undefined,
        usage: undefined,
        limit: undefined,
        suggestedPrompts: [],
        systemPrompt: undefined,
      }
    );
  }

  /** Finds out the options, unless they are known; joins a pending attempt. Never rejects; see `phase`. */
  load(): Promise<void> {
    return this.#phase.kind === 'ready'
      ? Promise.resolve()
      : this.#run((signal) => this.#ask(signal));
  }

  /** Gives up what is asked for. */
  cancel(): void {
    this.#running?.abort.abort();
  }

  /** Sets the mode, and keeps it for the next session. Rejects with `AcpError`. */
  async setMode(modeId: string): Promise<void> {
    await this.#session?.session.setMode(modeId);
    this.#remember('mode', modeId);
  }

  /** Sets an option, and keeps its value for the next session. Rejects with `AcpError`. */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    if (this.#session === undefined) {
      this.#chosen =
        this.#told?.withValues(this.#defaults, this.#last, { [configId]: value }) ?? [];
    } else {
      await this.#session.session.setConfigOption(configId, value);
    }
    this.#remember(configId, value);
    this.#changed();
  }

  /**
   * The session, open and listed like any other, for its first prompt. `findFolder` finds another folder for it, or
   * none if the user cancels. `undefined` if that failed, or was canceled: the phase has the outcome. Never rejects.
   */
  async begin(
    findFolder?: (signal: AbortSignal) => Promise<WorkspaceFolder | undefined>,
  ): Promise<Session | undefined> {
    await this.load();
    const prepared = this.#session?.session;
    if (prepared !== undefined && findFolder === undefined) {
      this.#release();
      this.#parts.sessions.publish(prepared);
      return prepared;
    }
    let begun: Session | undefined;
    if (this.#phase.kind === 'ready') {
      await this.#run(async (signal) => {
        const folder = findFolder === undefined ? this.folder : await findFolder(signal);
        begun = folder && (await this.#create(folder, signal));
      });
    }
    return begun;
  }

  /** The first prompt won't be sent: leaves nothing at the agent, as far as it can. Never rejects. */
  async end(): Promise<void> {
    this.cancel();
    await this.#running?.done;
    const prepared = this.#session?.session;
    this.#release();
    if (prepared !== undefined) {
      await this.#parts.sessions.discard(prepared);
    }
  }

  get #defaults(): SessionDefaults {
    return trustedDefaults(this.agent.current, this.#parts.workspace);
  }

  /** What the session begins with: what was chosen for it, otherwise what was chosen last. */
  get #last(): SessionDefaults {
    const { mode, ...others } = this.#parts.last.get(this.agent.id) ?? {};
    const isPreset = mode !== undefined && isCareful(String(mode));
    return { ...others, ...(isPreset && { mode }), ...this.#own };
  }

  /**
   * A mode is chosen for one session, not for the next ones (SEC-344): agents don't say which of their modes asks less,
   * so only those are preset in which nothing is changed.
   */
  #remember(key: string, value: string | boolean): void {
    const { category = key } = optionFor(this.facts.configOptions, key) ?? {};
    const isPreset = category !== 'mode' || isCareful(String(value));
    this.#own = { ...this.#own, [key]: value };
    const { [key]: _, ...others } = this.#parts.last.get(this.agent.id) ?? {};
    this.#parts.last.set(this.agent.id, { ...others, ...(isPreset && { [key]: value }) });
  }

  #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running === undefined) {
      const abort = new AbortController();
      this.#running = { abort, done: this.#attempt(work, abort.signal) };
    }
    return this.#running.done;
  }

  async #attempt(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#set({ kind: 'loading', received: 0 });
    let phase: Phase = { kind: 'ready' };
    try {
      await work(signal);
    } catch (error) {
      phase = { kind: 'failed', failure: describeFailure(error, this.agent.current.title) };
    }
    this.#running = undefined;
    this.#set(signal.aborted ? { kind: 'cancelled' } : phase);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { sessions } = this.#parts;
    this.#told = await sessions.firstOptions(this.agent, this.folder, signal);
    this.#chosen = this.#told?.withValues(this.#defaults, this.#last) ?? [];
    if (!this.agent.current.supports('options') && this.#session === undefined) {
      await this.#prepare(signal);
    }
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    const session = await this.#parts.sessions.prepare(this.agent, this.folder, signal);
    // What the agent doesn't have any more isn't worth a word: nobody has asked for it this time.
    await applyDefaults(session, this.#last, signal);
    if (signal.aborted) {
      await this.#parts.sessions.discard(session);
      return;
    }
    const look = (): void => this.#look(session);
    this.#session = {
      session,
      listeners: [session.onDidChange(look), session.onDidChangeState(look)],
    };
  }

  #look(session: Session): void {
    if (session.isLive || this.#session?.session !== session) {
      this.#changed();
      return;
    }
    // Its agent has ended.
    const { phase } = session;
    this.#release();
    void this.#parts.sessions.discard(session);
    this.#set(phase.kind === 'failed' ? phase : { kind: 'cancelled' });
  }

  async #create(folder: WorkspaceFolder, signal: AbortSignal): Promise<Session> {
    const { sessions } = this.#parts;
    const prepared = this.#session?.session.facts;
    const beginning = this.#told?.beginWith(this.#chosen, this.#defaults) ?? {
      sent: {},
      wanted: prepared ? getValues(prepared) : { ...this.#defaults, ...this.#last },
    };
    return sessions.create(this.agent, folder, signal, { beginning });
  }

  #release(): void {
    for (const listener of this.#session?.listeners ?? []) {
      listener.dispose();
    }
    this.#session = undefined;
  }

  #set(phase: Phase): void {
    this.#phase = phase;
    this.#changed();
  }
}

/** What a session has, for another one that is to have the same. */
function getValues({ configOptions, modes }: Facts): SessionDefaults {
  const hasMode = optionFor(configOptions, 'mode') !== undefined;
  return {
    ...(modes !== undefined && !hasMode && { mode: modes.currentModeId }),
    ...Object.fromEntries(configOptions.map(({ id, value }) => [id, value])),
  };
}
