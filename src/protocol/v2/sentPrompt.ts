import type { TurnUsage } from '../../shared/transcript/entries';
import { type Deferred, deferred } from '../../util/async';
import { boundedId } from '../bounds';
import type { AcpError } from '../errors';

/** How work ended: with a reason, which an agent may not tell, or with an error. */
export type WorkEnd =
  | { readonly stopReason: string | undefined; readonly usage?: TurnUsage }
  | { readonly error: AcpError };

/** An `idle`, as it is reported. */
export interface IdleReport {
  /** Absent if the agent doesn't say why the work ended. */
  readonly end?: WorkEnd | undefined;
  /** Whether it may only say again how earlier work ended (V2-TURN-2). */
  readonly mayBeRepeated: boolean;
}

/** Messages that are remembered until a prompt is answered; no user writes so many meanwhile. */
const maxMessages = 200;

/** The end of the work that may have taken a message. Unless it is sure, work that follows shows that it wasn't. */
interface PossibleEnd {
  readonly end: WorkEnd;
  readonly isSure: boolean;
}

/** A message of the user that may be the prompt's. */
interface Candidate {
  /** Work that went on when the prompt was sent had ended before the message came. */
  readonly isLater: boolean;
  end?: PossibleEnd | undefined;
}

/**
 * A prompt that was sent, until the work that took it ends (V2-TURN-3). The agent tells only in its answer which message
 * is the prompt's, and that message, and even the end of the work, may come before the answer. So each message of the
 * user that comes until then is a candidate.
 */
export class SentPrompt {
  /** The user has canceled the work since. */
  isCancelled = false;
  readonly #graceMs: number;
  readonly #done: Deferred<WorkEnd> = deferred();
  readonly #candidates = new Map<string, Candidate>();
  /** Stands for a message that the agent doesn't send back; absent while work from before the prompt continues. */
  #unseen: Candidate | undefined;
  /** The agent has worked since the prompt was sent and since the last `idle`. */
  #hasWorked: boolean;
  #isInserted = false;
  #workEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Waits `graceMs` without work; after that, an end that isn't sure counts. */
  constructor(isBusy: boolean, graceMs: number) {
    this.#graceMs = graceMs;
    this.#hasWorked = isBusy;
    this.#unseen = isBusy ? undefined : { isLater: false };
  }

  /** How the work ended that took the prompt, or how else it is settled; never rejects. */
  get done(): Promise<WorkEnd> {
    return this.#done.promise;
  }

  /** A message of the user has come, or a part of one. */
  noteMessage(messageId: string): void {
    if (this.#isInserted || this.#candidates.has(messageId)) {
      return;
    }
    this.#candidates.set(messageId, { isLater: this.#workEnded });
    const [oldest] = this.#candidates.keys();
    if (this.#candidates.size > maxMessages && oldest !== undefined) {
      this.#candidates.delete(oldest);
    }
  }

  /** The agent works. */
  noteWork(): void {
    this.#hasWorked = true;
    clearTimeout(this.#timer);
    for (const candidate of this.#all()) {
      if (candidate.end?.isSure === false) {
        candidate.end = undefined;
      }
    }
  }

  noteIdle({ end, mayBeRepeated }: IdleReport): void {
    const hasWorked = this.#hasWorked;
    this.#hasWorked = false;
    if (!hasWorked && end === undefined) {
      return;
    }
    const isSure = hasWorked || !mayBeRepeated;
    const possible = { end: end ?? { stopReason: undefined }, isSure };
    this.#workEnded ||= isSure;
    if (this.#isInserted) {
      this.#endWith(possible);
      return;
    }
    for (const candidate of this.#candidates.values()) {
      candidate.end ??= possible;
    }
    if (this.#unseen) {
      // The work may have been for something else.
      this.#unseen.end = { ...possible, isSure: false };
    } else {
      this.#unseen = { isLater: true };
    }
  }

  /** Whether work that went on when the prompt was sent had ended before this message, the prompt's, came. */
  isLater(messageId: string | undefined): boolean {
    return this.#candidate(messageId)?.isLater ?? this.#workEnded;
  }

  /** The prompt was inserted as this message, unless the agent doesn't tell. */
  inserted(messageId: string | undefined): void {
    const { end } = this.#candidate(messageId) ?? this.#unseen ?? {};
    this.#isInserted = true;
    this.#candidates.clear();
    this.#unseen = undefined;
    if (end) {
      this.#endWith(end);
    }
  }

  settle(end: WorkEnd): void {
    clearTimeout(this.#timer);
    this.#done.resolve(end);
  }

  #candidate(messageId: string | undefined): Candidate | undefined {
    return messageId === undefined ? undefined : this.#candidates.get(boundedId(messageId));
  }

  #all(): readonly Candidate[] {
    const seen = [...this.#candidates.values()];
    return this.#unseen ? [...seen, this.#unseen] : seen;
  }

  #endWith({ end, isSure }: PossibleEnd): void {
    clearTimeout(this.#timer);
    if (isSure) {
      this.settle(end);
      return;
    }
    this.#timer = setTimeout(() => this.settle(end), this.#graceMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }
}
