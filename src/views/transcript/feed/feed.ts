import type { NestedChange } from '../../../model/transcript/transcript';
import type { TranscriptChange } from '../../../shared/transcript/entries';
import { indexAt, numberAt } from '../../../shared/transcript/places';
import type {
  Header,
  Phase,
  SessionState,
  ToWebview,
} from '../../../shared/transcript/webviewMessages';
import type { Disposable } from '../../../util/disposable';
import { sameState } from './sessionState';
import { TranscriptWindow, type WantedRows, type WindowSource } from './window';

/** The data that a webview shows. */
export interface FeedSource extends WindowSource {
  readonly header: Header;
  readonly phase: Phase;
  /** The state; only read for a snapshot and after `noteState`, because computing it isn't free. */
  readonly session: SessionState;
}

/** Minimum pause between two patches, in ms: one frame. */
const shortestPause = 16;
/**
 * Pause while a replay arrives so fast that each patch holds a whole new window, in ms: that is too
 * fast to read, and drawing it more often would only delay the end.
 */
const replayPause = 500;

/**
 * Keeps a webview up to date: a snapshot when it starts or ahead of that, then patches of its window with revisions,
 * one at a time unless the user is asked something. Nothing is sent while there is no webview.
 */
export class TranscriptFeed implements Disposable {
  readonly #source: FeedSource;
  readonly #post: (message: ToWebview) => PromiseLike<unknown>;
  readonly #window: TranscriptWindow;
  #live = false;
  /** A snapshot was sent before the webview reported that it is ready. */
  #isAhead = false;
  #revision = 0;
  #sentHeader = '';
  #sentPhase = '';
  #sentCount = 0;
  #sentSession: SessionState | undefined;
  #isStateNew = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * The message in flight: a new object for each, so that a late completion doesn't count for a
   * newer one.
   */
  #sending: object | undefined;
  #due = false;
  #pause = shortestPause;

  constructor(source: FeedSource, post: (message: ToWebview) => PromiseLike<unknown>) {
    this.#source = source;
    this.#post = post;
    this.#window = new TranscriptWindow(source);
  }

  /** Whether there is a webview, or one is loading. */
  get isLive(): boolean {
    return this.#live;
  }

  /** Sends the snapshot to a webview that is still loading, which gets it as soon as it is ready. */
  sendAhead(): void {
    if (!this.#live) {
      this.#begin();
      this.#isAhead = true;
    }
  }

  /** The webview has (re)started: it holds nothing except what was sent ahead. */
  start(): void {
    if (!this.#isAhead) {
      this.#begin();
      return;
    }
    this.#isAhead = false;
    // A webview that missed the snapshot notices the gap in the revisions.
    this.#revision += 1;
    this.#send({ type: 'patch', revision: this.#revision, changes: [] });
  }

  /** The webview is gone. The next one starts from scratch. */
  stop(): void {
    this.#live = false;
    this.#isAhead = false;
    this.#sending = undefined;
    this.#due = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  snapshot(): void {
    if (!this.#live) {
      return;
    }
    const { header, phase, session, entries } = this.#source;
    this.#remember(header, phase);
    this.#sentSession = session;
    this.#isStateNew = false;
    this.#revision += 1;
    this.#send({
      type: 'snapshot',
      revision: this.#revision,
      header,
      phase,
      session,
      count: entries.length,
      ...this.#window.snapshot(),
    });
    const isFlood = phase.kind === 'loading' && entries.length > this.#window.held;
    this.#pause = isFlood ? replayPause : shortestPause;
    // The pause begins now, not with the next change.
    this.update();
  }

  want(rows: WantedRows): void {
    // At the end, what is wanted in addition isn't seen yet.
    if (!(rows.follow && this.#window.isFollowing)) {
      this.#hurry();
    }
    this.#window.want(rows);
    this.update();
  }

  /** The user unfolds a subagent, or folds it with 0 `rows`. */
  unfold(number: number, rows: number): void {
    this.#window.unfold(number, rows);
    this.#hurry();
    this.update();
  }

  /** The user asks for a row whose content was left out because it is large. */
  ask(index: number): void {
    this.#window.ask(index);
    this.#hurry();
    this.update();
  }

  note(change: TranscriptChange): void {
    this.#window.note(change);
    this.update();
  }

  /** The transcript of a subagent has changed: of one that is folded, only how much it did is drawn. */
  noteNested({ number, change, place }: NestedChange): void {
    const isUnfolded = this.#window.isUnfolded(number);
    const isLonger = change.type === 'appended';
    if (isUnfolded) {
      this.#window.note(change, number);
    }
    if (isLonger) {
      this.#window.note({ type: 'updated', index: indexAt(place) }, numberAt(place));
    }
    if (isUnfolded || isLonger) {
      this.update();
    }
  }

  /** The state of the session, apart from its transcript, may have changed. */
  noteState(): void {
    this.#isStateNew = true;
    this.update();
  }

  /** The agent asks the user something: it waits neither for the pause nor for the message in flight. */
  noteRequest(): void {
    this.#isStateNew = true;
    if (this.#live) {
      clearTimeout(this.#timer);
      // With what the same event changes in the transcript.
      this.#patchAfter(0);
    }
  }

  /** Something may have changed; a patch follows after the pause. */
  update(): void {
    if (!this.#live) {
      return;
    }
    if (this.#source.phase.kind !== 'loading') {
      this.#hurry();
    }
    if (this.#sending !== undefined) {
      this.#due = true;
      return;
    }
    if (this.#timer === undefined) {
      this.#patchAfter(this.#pause);
    }
  }

  dispose(): void {
    this.stop();
  }

  #begin(): void {
    this.#live = true;
    this.#window.restart();
    this.snapshot();
  }

  /** Ends a long pause at once, because the user is waiting. */
  #hurry(): void {
    if (this.#pause > shortestPause) {
      this.#pause = 0;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  #patchAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#patch();
    }, ms);
  }

  #patch(): void {
    const { header, phase, entries } = this.#source;
    const newHeader = JSON.stringify(header) !== this.#sentHeader;
    const newPhase = JSON.stringify(phase) !== this.#sentPhase;
    const newCount = entries.length !== this.#sentCount;
    const session = this.#newSession();
    const isLoading = phase.kind === 'loading';
    const changes = this.#window.changes(isLoading);
    const isFlood = isLoading && changes.length > 0 && changes.length === this.#window.held;
    this.#pause = isFlood ? replayPause : shortestPause;
    if (newHeader || newPhase || newCount || session !== undefined || changes.length > 0) {
      this.#remember(header, phase);
      this.#revision += 1;
      this.#send({
        type: 'patch',
        revision: this.#revision,
        ...(newHeader && { header }),
        ...(newPhase && { phase }),
        ...(session !== undefined && { session }),
        ...(newCount && { count: entries.length }),
        changes,
      });
    }
    this.#goOn();
  }

  /** Rows that didn't fit into one message follow in the next. */
  #goOn(): void {
    if (this.#window.isBehind) {
      this.update();
    }
  }

  /** The session's state, if it differs from the webview's. */
  #newSession(): SessionState | undefined {
    if (!this.#isStateNew) {
      return undefined;
    }
    this.#isStateNew = false;
    const { session } = this.#source;
    if (sameState(this.#sentSession, session)) {
      return undefined;
    }
    this.#sentSession = session;
    return session;
  }

  #remember(header: Header, phase: Phase): void {
    this.#sentHeader = JSON.stringify(header);
    this.#sentPhase = JSON.stringify(phase);
    this.#sentCount = this.#source.entries.length;
  }

  #send(message: ToWebview): void {
    const sending = {};
    this.#sending = sending;
    const sent = (): void => {
      if (this.#sending === sending) {
        this.#sending = undefined;
        if (this.#due) {
          this.#due = false;
          this.update();
        }
      }
    };
    this.#post(message).then(sent, sent);
  }
}
