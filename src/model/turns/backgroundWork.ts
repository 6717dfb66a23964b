import type { BackgroundItem, SessionActivity, SessionUpdate } from '../../protocol/updates';
import type { TurnFacts } from '../../shared/transcript/entries';
import type { Turn } from '../../shared/transcript/prompt';
import { isHistory } from '../transcript/reduce';
import type { Transcript } from '../transcript/transcript';

export interface BackgroundWorkHost {
  readonly transcript: Transcript;
  /** See `SessionLimits`. */
  readonly tailMs: number;
  readonly quietMs: number;
  readonly cancelMs: number;
  /** Whether the session is live, and no prompt of this client runs or is about to. */
  isAtRest(): boolean;
  changed(): void;
  /** Work has begun, with a prompt or by itself; `isLate`: the agent may have been at it before. */
  began(isLate: boolean, prompt: string | undefined): void;
  /** Work is over, because a turn begins, the session is closed, or it has ended. */
  over(): void;
  /** The agent has reported the end of the work that began with this entry. */
  stopped(from: number, said: SessionActivity): void;
  ended(turn: TurnFacts): void;
}

/** A turn that no prompt of this client owns. */
export interface BackgroundTurn {
  /** The time in ms since the epoch. */
  readonly began: number;
  /** The numbers of entries when it began, and when it was over. */
  readonly from: number;
  readonly to?: number;
}

const idle: Turn = { kind: 'idle' };
const nothing: readonly BackgroundItem[] = [];

/** Turns that are remembered: the latest ones. */
const maxTurns = 500;

/**
 * Work of the agent that no prompt of this client owns (T-40): begun by a background task, by
 * another client of the session, or by a prompt that came when no turn ran. Most agents don't report
 * its end, so it is over when they fall silent, unless they say so. For an agent that reports the
 * session's state (V2-TURN-2), only that counts: nothing is guessed.
 */
export class BackgroundWork {
  readonly #host: BackgroundWorkHost;
  /** The turns that are over, as long as the transcript has them. */
  #turns: readonly BackgroundTurn[] = [];
  #turn: BackgroundTurn | undefined;
  #heard = 0;
  #restedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the agent has reported last since the session was opened. */
  #said: SessionActivity | undefined;
  /** The user has ended the work that the agent reports, which still runs. */
  #isGivenUp = false;
  /** The prompt with which the agent is about to begin a turn. */
  #prompt: string | undefined;
  /** Set while the agent hasn't answered the user's wish to stop the work. */
  #cancelling: { readonly canForce: boolean } | undefined;

  constructor(host: BackgroundWorkHost) {
    this.#host = host;
  }

  /** The turn as it is shown while no prompt of this client runs. */
  get current(): Turn {
    if (this.#turn === undefined) {
      const background = this.tasks.length;
      return background > 0 ? { kind: 'idle', background } : idle;
    }
    const { began } = this.#turn;
    return this.#cancelling === undefined
      ? { kind: 'background', began }
      : { kind: 'running', cancelling: true, ...this.#cancelling, began };
  }

  /** What the agent says that also runs. */
  get tasks(): readonly BackgroundItem[] {
    return this.#said?.background ?? nothing;
  }

  /** Set if the agent waits for the user (V2-TURN-9). */
  get waits(): true | undefined {
    return this.#said?.state === 'requires_action' ? true : undefined;
  }

  get isCancelling(): boolean {
    return this.#cancelling !== undefined;
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
    if (this.#turn !== undefined || !this.#host.isAtRest()) {
      return;
    }
    if (this.#said !== undefined && !this.#isWorking) {
      this.#prompt = prompt;
    } else {
      const isLate = this.#heard > this.#restedAt;
      this.#heard = Date.now();
      this.#turn = { began: this.#heard, from: this.#host.transcript.entries.length };
      if (this.#said === undefined) {
        this.#wait();
      }
      this.#host.began(isLate, prompt);
      this.#host.changed();
    }
  }

  /** The session has come to rest: work that the agent has reported meanwhile continues (V2-RES-3, V2-TURN-11). */
  goOn(): void {
    if (this.#isWorking) {
      this.begin(this.#prompt);
    }
  }

  /** The agent will tell anew what it does. */
  lost(): void {
    this.#said = undefined;
    this.#isGivenUp = false;
    this.#prompt = undefined;
  }

  /** The user has ended what the agent works at, so it isn't shown any more. */
  giveUp(): void {
    this.#isGivenUp = this.#isWorking;
  }

  /** Call before the update is shown. */
  note(update: SessionUpdate): void {
    if (update.sessionUpdate === 'state_update') {
      this.#hear(update);
    } else if (this.#said !== undefined) {
      return;
    } else if (update.sessionUpdate === 'session_info_update') {
      if (update.isWorking === true) {
        this.begin();
      } else if (update.isWorking === false) {
        this.#end();
      }
    } else if ((this.#turn !== undefined || this.#host.isAtRest()) && isHistory(update)) {
      if (this.#turn === undefined && Date.now() - this.#restedAt > this.#host.tailMs) {
        this.begin();
      }
      this.#heard = Date.now();
    }
  }

  /**
   * Shows the unfinished calls as canceled; returns `false` if there is no work to stop. An agent that reports its state
   * says when it has stopped; if it doesn't, the user may end it here (V2-TURN-18).
   */
  cancel(): boolean {
    if (this.#turn === undefined || this.#cancelling !== undefined) {
      return false;
    }
    this.#host.transcript.cancelUnfinished(this.#turn.from);
    if (this.#said === undefined) {
      this.#end();
      return true;
    }
    this.#cancelling = { canForce: false };
    this.#timer = setTimeout(() => {
      this.#cancelling = { canForce: true };
      this.#host.changed();
    }, this.#host.cancelMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
    this.#host.changed();
    return true;
  }

  /** Ends canceled work of which the agent hasn't reported the end. */
  forceFinish(): void {
    if (this.#cancelling?.canForce) {
      this.giveUp();
      this.#end();
    }
  }

  /** A turn begins, or the session is closed: the work, if any, is no longer told apart. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#cancelling = undefined;
    this.#prompt = undefined;
    if (this.#turn !== undefined) {
      const over = { ...this.#turn, to: this.#host.transcript.entries.length };
      this.#turns = [...this.#turns, over].slice(-maxTurns);
      this.#turn = undefined;
      this.#host.over();
    }
  }

  get #isWorking(): boolean {
    return this.#said !== undefined && this.#said.state !== 'idle' && !this.#isGivenUp;
  }

  #hear(said: SessionActivity): void {
    const { waits, tasks } = this;
    this.#said = said;
    this.#isGivenUp &&= said.state !== 'idle';
    if (this.#cancelling === undefined) {
      // Silence says nothing any more.
      clearTimeout(this.#timer);
    }
    if (this.#isWorking) {
      this.goOn();
    } else if (this.#turn !== undefined) {
      this.#host.stopped(this.#turn.from, said);
      this.#end(said);
    }
    if (this.waits !== waits || !isSame(this.tasks, tasks)) {
      this.#host.changed();
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

  #end({ usage }: Pick<SessionActivity, 'usage'> = {}): void {
    if (this.#turn === undefined) {
      return;
    }
    const { began } = this.#turn;
    // Silence is no work.
    const ended = this.#said === undefined ? this.#heard : Date.now();
    this.forget();
    this.rest();
    this.#host.ended({ began, ended, ...(usage && { usage }) });
    this.#host.changed();
  }
}

/** Most reports have the same list as the one before, or none. */
function isSame(a: readonly BackgroundItem[], b: readonly BackgroundItem[]): boolean {
  return a.length === b.length && (a.length === 0 || JSON.stringify(a) === JSON.stringify(b));
}
