import * as l10n from '@vscode/l10n';
import type { SessionActivity, SubagentPatch } from '../../protocol/updates';
import type {
  Asker,
  SubagentEntry,
  SubagentState,
  TurnTimes,
} from '../../shared/transcript/entries';
import { getLabel } from '../text/titles';
import type { Transcript } from '../transcript/transcript';

export interface SubagentOptions {
  readonly number: number;
  readonly transcript: Transcript;
  /** The transcript in which it is shown. */
  readonly within: Transcript;
  /** The subagent that started it; absent if the session itself did. */
  readonly parent?: Subagent | undefined;
  readonly depth: number;
  /** The id of the subagent's session, for agents that give it one. */
  readonly sessionId?: string | undefined;
  /** The call that started the subagent, for other agents. */
  readonly callId?: string | undefined;
  /** Whether what happens now isn't a replay, and so has times. */
  readonly isLive: () => boolean;
}

/** A subagent of a session, and its entry in the transcript of what started it. */
export class Subagent {
  readonly number: number;
  readonly transcript: Transcript;
  readonly parent: Subagent | undefined;
  readonly depth: number;
  readonly sessionId: string | undefined;
  /** Index of its entry. */
  readonly index: number;
  readonly #callId: string | undefined;
  readonly #within: Transcript;
  readonly #isLive: () => boolean;
  /** Indexes of the messages from and to other sessions, by id. */
  readonly messages = new Map<string, number>();
  #title = '';
  #description = '';
  #state: SubagentState = { kind: 'unknown' };
  /** Whether who started it tells its state. */
  #isStateTold = false;
  #canCancel = false;
  #isAsking = false;
  #times: TurnTimes | undefined;
  #call: number | undefined;

  constructor(options: SubagentOptions) {
    const { number, transcript, within, parent, depth, sessionId, callId, isLive } = options;
    this.number = number;
    this.transcript = transcript;
    this.parent = parent;
    this.depth = depth;
    this.sessionId = sessionId;
    this.#callId = callId;
    this.#within = within;
    this.#isLive = isLive;
    this.index = within.add(this.#entry());
  }

  /** A single line, never empty. */
  get title(): string {
    return this.#title === '' ? l10n.t('Subagent') : getLabel(this.#title);
  }

  /** What it does, with a question that waits for an answer taken into account. */
  get state(): SubagentState {
    return this.#isAsking ? { kind: 'requires_action' } : this.#state;
  }

  get isRunning(): boolean {
    const { kind } = this.state;
    return kind === 'running' || kind === 'requires_action';
  }

  /** Index of the call that it is drawn with. */
  get call(): number | undefined {
    return this.#call;
  }

  /** Whether it can be stopped alone (SUB-6). */
  get canCancel(): boolean {
    return this.#canCancel && this.sessionId !== undefined && this.isRunning;
  }

  get asker(): Asker {
    const { number, title, parent } = this;
    return { number, title, ...(parent && { parent: parent.title }) };
  }

  /** Absent fields are unchanged, `null` clears a field. Returns whether anything has changed. */
  update({ title, description, canCancel, state }: Omit<SubagentPatch, 'sessionId'>): void {
    this.#title = title === undefined ? this.#title : (title ?? '');
    this.#description = description === undefined ? this.#description : (description ?? '');
    this.#canCancel = canCancel ?? this.#canCancel;
    if (state !== undefined) {
      this.#isStateTold = true;
      this.#enter(state ?? { kind: 'unknown' });
    }
    this.#show();
  }

  /** What its own session says it is doing, which counts unless who started it tells. */
  does({ state, stopReason }: SessionActivity): void {
    if (!this.#isStateTold) {
      const isIdle = state === 'idle';
      this.#enter(
        isIdle ? { kind: state, ...(stopReason !== undefined && { stopReason }) } : { kind: state },
      );
      this.#show();
    }
  }

  /** Whether a question of it waits for an answer. */
  asks(isAsking: boolean): void {
    if (isAsking !== this.#isAsking) {
      this.#isAsking = isAsking;
      this.#show();
    }
  }

  /** Notes that the subagent was started by the call with this index, which is close enough to be drawn with it. */
  startedBy(call: number): void {
    this.#call = call;
    this.#show();
  }

  /** The agent is gone: nobody says how it went on. */
  lose(): void {
    if (this.isRunning) {
      this.#isAsking = false;
      this.#enter({ kind: 'unknown' });
      this.#show();
    }
  }

  #enter(state: SubagentState): void {
    const works = state.kind === 'running' || state.kind === 'requires_action';
    if (works && this.#isLive() && (this.#times === undefined || this.#times.ended !== undefined)) {
      this.#times = { began: Date.now() };
    } else if (!works && this.#times !== undefined && this.#times.ended === undefined) {
      this.#times = { ...this.#times, ended: Date.now() };
    }
    this.#state = state;
  }

  #show(): void {
    this.#within.replace(this.index, this.#entry());
  }

  #entry(): SubagentEntry {
    const { number, sessionId, title, state, canCancel } = this;
    const { entries, calls } = this.transcript;
    return {
      kind: 'subagent',
      number,
      ...(sessionId !== undefined && { sessionId }),
      ...(this.#callId !== undefined && { callId: this.#callId }),
      title,
      ...(this.#description !== '' && { description: this.#description }),
      state,
      ...{ entries, calls },
      ...(this.#times && { times: this.#times }),
      ...(canCancel && { canCancel }),
      ...(this.#call !== undefined && { call: this.#call }),
    };
  }
}
