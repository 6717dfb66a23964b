import type { Entry, TranscriptChange } from '../../../shared/transcript/entries';
import type { OutlineTurn } from '../../../shared/transcript/outline';
import type { ToWebview } from '../../../shared/transcript/webviewMessages';
import type { Disposable } from '../../../util/disposable';
import { Outline } from './outline';
import type { WantedRows } from './window';

type OutlineMessage = Extract<ToWebview, { type: 'outline' }>;

/** Pause between two messages while the transcript changes, in ms. */
const pause = 100;

/** Sends a webview the turns around its rows, and the marks beside its scroll bar. */
export class OutlineFeed implements Disposable {
  readonly outline: Outline;
  readonly #entries: () => readonly Entry[];
  readonly #post: (message: OutlineMessage) => unknown;
  #live = false;
  #wanted: WantedRows = { start: 0, end: 0, follow: true };
  #sentTurns: readonly OutlineTurn[] = [];
  #sentVersion: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(entries: () => readonly Entry[], post: (message: OutlineMessage) => unknown) {
    this.outline = new Outline(entries);
    this.#entries = entries;
    this.#post = post;
  }

  /** The webview has (re)started: it holds nothing. */
  start(): void {
    this.#live = true;
    this.#sentTurns = [];
    this.#sentVersion = undefined;
    this.#send();
  }

  /** The webview is gone. */
  stop(): void {
    this.#live = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  want(rows: WantedRows): void {
    this.#wanted = rows;
    this.#send();
  }

  note(change: TranscriptChange): void {
    this.outline.note(change);
    if (this.#live) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#send();
      }, pause);
    }
  }

  dispose(): void {
    this.stop();
  }

  #send(): void {
    if (!this.#live) {
      return;
    }
    const turns = this.#turns();
    const newTurns = !sameTurns(turns, this.#sentTurns);
    const newMarks = this.#sentVersion !== this.outline.version;
    if (newTurns || newMarks) {
      this.#sentTurns = turns;
      this.#sentVersion = this.outline.version;
      this.#post({
        type: 'outline',
        ...(newTurns && { turns }),
        ...(newMarks && { marks: this.outline.marks() }),
      });
    }
  }

  #turns(): readonly OutlineTurn[] {
    const { start, end, follow } = this.#wanted;
    const count = this.#entries().length;
    return follow
      ? this.outline.turnsIn(Math.max(0, count - (end - start)), count)
      : this.outline.turnsIn(start, Math.min(end, count));
  }
}

function sameTurns(some: readonly OutlineTurn[], others: readonly OutlineTurn[]): boolean {
  return (
    some.length === others.length &&
    some.every((turn, at) => {
      const other = others[at];
      return turn.index === other?.index && turn.prompt === other.prompt;
    })
  );
}
