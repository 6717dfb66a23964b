import type { SessionUpdate } from '../../protocol/updates';
import { isHistory } from '../transcript/reduce';
import type { Transcript } from '../transcript/transcript';

export interface BackgroundWorkHost {
  readonly transcript: Transcript;
  /** See `SessionLimits`. */
  readonly tailMs: number;
  readonly quietMs: number;
  /** Whether the session is live, and no prompt of this client runs or is about to. */
  isAtRest(): boolean;
  changed(): void;
  /** Work has begun, with a prompt or by itself; `isLate`: the agent may have been at it before. */
  began(isLate: boolean, prompt: string | undefined): void;
  /** Work is over, because a turn begins, the session is closed, or it has ended. */
  over(): void;
  ended(): void;
}

/** A turn that no prompt of this client owns. */
export interface BackgroundTurn {
  /** In ms since the epoch. */
  readonly began: number;
  /** The numbers of entries when it began, and when it was over. */
  readonly from: number;
  readonly to?: number;
}

/** Turns that are remembered: the latest ones. */
const mostTurns = 500;

/**
 * Work of the agent that no prompt of this client owns (T-40): begun by a background task, by
 * another client of the session, or by a prompt that came when no turn ran. Agents don't report its
 * end, so it is over when they fall silent, unless they say so.
 */
export class BackgroundWork {
  readonly #host: BackgroundWorkHost;
  /** Those that are over, as long as the transcript has them. */
  #turns: readonly BackgroundTurn[] = [];
  #turn: BackgroundTurn | undefined;
  #heard = 0;
  #restedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: BackgroundWorkHost) {
    this.#host = host;
  }

  /** When the work that goes on now began, in ms since the epoch. */
  get began(): number | undefined {
    return this.#turn?.began;
  }

  /** The turns since the transcript was loaded, in its order. */
  get turns(): readonly BackgroundTurn[] {
    return this.#turn === undefined ? this.#turns : [...this.#turns, this.#turn];
  }

  /** A turn has ended, or the session was opened or has lost its agent: what follows soon is no work of its own. */
  rest(): void {
    this.#restedAt = Date.now();
    if (!this.#host.isAtRest()) {
      this.forget();
    }
  }

  /** The transcript was reset. */
  forgetHistory(): void {
    this.forget();
    this.#turns = [];
  }

  /** The agent has said that it works, or that it has begun a turn with this prompt. */
  begin(prompt?: string): void {
    if (this.#turn === undefined && this.#host.isAtRest()) {
      const isLate = this.#heard > this.#restedAt;
      this.#heard = Date.now();
      this.#turn = { began: this.#heard, from: this.#host.transcript.entries.length };
      this.#wait();
      this.#host.began(isLate, prompt);
      this.#host.changed();
    }
  }

  /** Call before the update is shown. */
  note(update: SessionUpdate): void {
    if (update.sessionUpdate === 'session_info_update') {
      if (update.isWorking === true) {
        this.begin();
      } else if (update.isWorking === false && this.#turn !== undefined) {
        this.#end();
      }
    } else if (isHistory(update) && (this.#turn !== undefined || this.#host.isAtRest())) {
      if (this.#turn === undefined && Date.now() - this.#restedAt > this.#host.tailMs) {
        this.begin();
      }
      this.#heard = Date.now();
    }
  }

  /** Shows the unfinished calls as canceled; returns `false` if there is no work to stop. */
  cancel(): boolean {
    if (this.#turn === undefined) {
      return false;
    }
    this.#host.transcript.cancelUnfinished(this.#turn.from);
    this.#end();
    return true;
  }

  /** A turn begins, or the session is closed: the work, if any, is no longer told apart. */
  forget(): void {
    clearTimeout(this.#timer);
    if (this.#turn !== undefined) {
      const over = { ...this.#turn, to: this.#host.transcript.entries.length };
      this.#turns = [...this.#turns, over].slice(-mostTurns);
      this.#turn = undefined;
      this.#host.over();
    }
  }

  #wait(): void {
    const { quietMs, transcript } = this.#host;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const isUnfinished = this.#turn !== undefined && transcript.hasUnfinished(this.#turn.from);
      if (Date.now() - this.#heard < quietMs || isUnfinished) {
        this.#wait();
      } else {
        this.#end();
      }
    }, quietMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }

  #end(): void {
    this.forget();
    this.rest();
    this.#host.ended();
    this.#host.changed();
  }
}
