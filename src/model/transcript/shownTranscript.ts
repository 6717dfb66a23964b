import type { PlanItem } from '../../shared/transcript/content';
import type { Entry, TranscriptChange } from '../../shared/transcript/entries';
import { indexAt, numberAt } from '../../shared/transcript/places';
import type { Phase } from '../../shared/transcript/webviewMessages';
import { Emitter, type Event } from '../../util/emitter';
import type { NestedChange, Transcript } from './transcript';

/** The subagents of entries that were read, by number. */
export type NestedEntries = Map<number, readonly Entry[]>;

/** The cached transcript of a session. */
export interface CachedEntries {
  /** When it was stored, in ms since the epoch. */
  readonly cachedAt: number;
  readonly entries: readonly Entry[];
  readonly nested: NestedEntries;
}

/** The session, as far as it matters to what is shown of it. */
interface ShownSession {
  readonly transcript: Transcript;
  readonly phase: Phase;
  readonly requests: { readonly waiting: readonly unknown[] };
  readonly onDidChange: Event<void>;
  readonly onDidChangeState: Event<void>;
}

/** Minimum pause between two looks at how far the replay is, in ms. */
const pause = 250;

/**
 * What views show of a session, one for as long as the session is open: what is cached of it from when that is read until
 * the agent has replayed the session, and otherwise the session's own transcript. The session itself knows nothing of
 * what is cached, so nothing of that can be live.
 */
export class ShownTranscript {
  readonly #session: ShownSession;
  #cached: CachedEntries | undefined;
  #isAwaited = false;
  #hasEnded = false;
  #looked = 0;
  readonly #changed = new Emitter<TranscriptChange>();
  readonly onDidChange = this.#changed.event;
  readonly #changedNested = new Emitter<NestedChange>();
  readonly onDidChangeNested = this.#changedNested.event;

  constructor(session: ShownSession) {
    this.#session = session;
    session.transcript.onDidChange((change) => this.#note(change));
    session.transcript.onDidChangeNested((nested) => {
      if (!this.isCached) {
        this.#changedNested.fire(nested);
      }
    });
    session.onDidChange(() => this.#look());
    session.onDidChangeState(() => this.#look());
  }

  /** Whether something cached is, was or may still be shown. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Whether it is the cached one, until the agent has replayed the session. */
  get isCached(): boolean {
    return this.#cached !== undefined;
  }

  /** When that was stored, in ms since the epoch. */
  get cachedAt(): number | undefined {
    return this.#cached?.cachedAt;
  }

  get entries(): readonly Entry[] {
    return this.#cached?.entries ?? this.#session.transcript.entries;
  }

  /** See `Transcript.checklist`; that of a cached transcript is nobody's any more. */
  get checklist(): readonly PlanItem[] | undefined {
    return this.isCached ? undefined : this.#session.transcript.checklist;
  }

  at(place: number): Entry | undefined {
    return this.getEntries(numberAt(place))[indexAt(place)];
  }

  getEntries(number: number): readonly Entry[] {
    if (this.#cached === undefined) {
      return this.#session.transcript.getEntries(number);
    }
    return number === 0 ? this.#cached.entries : (this.#cached.nested.get(number) ?? []);
  }

  /** What is cached is being read: from now on, the session's own entries may take its place for good. */
  await(): void {
    this.#isAwaited = true;
  }

  /** Shows the cached entries, unless the session's own have taken their place for good. */
  begin(cached: CachedEntries): void {
    if (!this.#hasEnded) {
      this.#show(cached);
    }
  }

  /** Shows the cached entries again, now that all of them are read. */
  complete(cached: CachedEntries): void {
    if (this.isCached) {
      this.#show(cached);
    }
  }

  /** Shows the session's own transcript from now on. */
  end(): void {
    this.#hasEnded = this.#isAwaited;
    if (this.isCached) {
      this.#show(undefined);
    }
  }

  #show(cached: CachedEntries | undefined): void {
    this.#cached = cached;
    this.#changed.fire({ type: 'reset' });
    const { length } = this.entries;
    if (length > 0) {
      this.#changed.fire({ type: 'appended', from: 0, to: length });
    }
  }

  #note(change: TranscriptChange): void {
    if (!this.isCached) {
      this.#changed.fire(change);
      return;
    }
    const isReplay = this.#session.phase.kind === 'loading';
    if (change.type === 'appended' && !isReplay) {
      // The user continues a session that couldn't be loaded.
      this.end();
    } else if (isReplay && performance.now() > this.#looked + pause) {
      // Nothing has changed, but the page says how far the replay is.
      this.#looked = performance.now();
      this.#changed.fire({ type: 'updated', index: this.entries.length - 1 });
    }
  }

  #look(): void {
    const { phase, requests } = this.#session;
    const isOpen =
      phase.kind !== 'loading' && phase.kind !== 'failed' && phase.kind !== 'cancelled';
    // Questions are asked in the session's own transcript.
    if (isOpen || requests.waiting.length > 0) {
      this.end();
    }
  }
}
