import type { TurnOutcome } from '../../shared/transcript/entries';
import type { Draft } from '../../shared/transcript/prompt';
import { turnInterrupted } from '../failures/failures';
import type { Transcript } from '../transcript/transcript';

type FailedTurn = Extract<TurnOutcome, { readonly type: 'failed' }>;

/** The prompts of turns that have failed, which the user can send again, once each. */
export class ResendablePrompts {
  readonly #transcript: Transcript;
  /** The drafts by the index of the entry with the failure. */
  readonly #failed = new Map<number, Draft>();
  /** The prompt of a turn that an earlier window interrupted. */
  #interrupted: Draft | undefined;
  #saysInterrupted = false;
  /** The latest one, to be offered again below the history that is loaded anew. */
  #latest: { readonly draft: Draft; readonly outcome: FailedTurn } | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The prompt of a turn that an earlier window interrupted, as long as it can be sent again. */
  get interrupted(): Draft | undefined {
    return this.#interrupted;
  }

  /** The prompts that can be sent again, in the order of their turns. */
  get all(): readonly Draft[] {
    return [...this.#failed.values()];
  }

  failed(index: number, draft: Draft): void {
    this.#failed.set(index, draft);
    const entry = this.#transcript.entries[index];
    this.#latest =
      entry?.kind === 'turn' && entry.outcome.type === 'failed'
        ? { draft, outcome: entry.outcome }
        : undefined;
  }

  /** Another prompt was sent. */
  sent(): void {
    this.#interrupted = undefined;
    this.#latest = undefined;
  }

  /** The history was loaded anew: the latest failure is its end again, and its prompt is still offered. */
  sayFailed(): void {
    if (this.#latest === undefined || this.#failed.size > 0) {
      return;
    }
    const { draft, outcome } = this.#latest;
    const { entries } = this.#transcript;
    const last = entries.length - 1;
    const end = entries[last];
    // It may have been told already, as what is known of the turn.
    const isTold =
      end?.kind === 'turn' &&
      end.outcome.type === 'failed' &&
      end.outcome.failure.title === outcome.failure.title;
    if (isTold) {
      this.#transcript.replace(last, { kind: 'turn', outcome });
    }
    this.#failed.set(isTold ? last : this.#transcript.add({ kind: 'turn', outcome }), draft);
  }

  interruptedBy(draft: Draft | undefined): void {
    this.#interrupted = draft;
  }

  /** Adds an entry that offers the interrupted turn's prompt again; only once. */
  sayInterrupted(agentTitle: string): void {
    const draft = this.#interrupted;
    if (draft !== undefined && !this.#saysInterrupted) {
      this.#saysInterrupted = true;
      const failure = turnInterrupted(agentTitle);
      const outcome: TurnOutcome = { type: 'failed', failure, canResend: true };
      this.#failed.set(this.#transcript.add({ kind: 'turn', outcome }), draft);
    }
  }

  /** The turn continues after all: it wasn't interrupted, and nothing that was lost needs to be sent again. */
  withdraw(): void {
    const end = this.#transcript.entries.length - 1;
    if (this.#failed.delete(end)) {
      this.#transcript.replace(end, { kind: 'agent', blocks: [] });
    }
    this.#interrupted = undefined;
    this.#latest = undefined;
  }

  /** The prompt to send again; its entry no longer offers that. */
  take(index: number): Draft | undefined {
    const draft = this.#failed.get(index);
    this.#latest = undefined;
    const entry = this.#transcript.entries[index];
    if (this.#failed.delete(index) && entry?.kind === 'turn' && entry.outcome.type === 'failed') {
      const outcome = { ...entry.outcome, canResend: false };
      this.#transcript.replace(index, { kind: 'turn', outcome });
    }
    return draft;
  }

  /** The transcript was reset: the indexes are void. */
  forgetHistory(): void {
    this.#failed.clear();
    this.#saysInterrupted = false;
  }
}
