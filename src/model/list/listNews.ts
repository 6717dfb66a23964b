import type { Disposable } from '../../util/disposable';
import type { SessionListLimits } from './listing';

export interface NewsOf {
  readonly limits: Pick<SessionListLimits, 'newsMs' | 'changesMs'>;
  /** Whether the agent has told its list, or is about to: otherwise nothing is news. */
  isAsked(): boolean;
  /** Resolves when the read of the list that is under way is over; `undefined` if there is none. */
  pending(): Promise<void> | undefined;
  /** Reads the list again, unless nobody would see that. Never rejects. */
  read(): Promise<void>;
}

/** Reads a list again because of what is known of its agent's sessions meanwhile: soon, and once for many. */
export class ListNews implements Disposable {
  readonly #list: NewsOf;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the list was last read only because its agent said that it has changed, in ms. */
  #toldAt = -Infinity;

  constructor(list: NewsOf) {
    this.#list = list;
  }

  /** The list lacks something. */
  missing(): void {
    if (this.#list.isAsked()) {
      this.#timer ??= setTimeout(() => void this.#read(), this.#list.limits.newsMs);
    }
  }

  /** The agent says that the list has changed: it is read seldom enough for one that says so all the time. */
  told(): void {
    if (this.#timer === undefined && this.#list.isAsked()) {
      const { newsMs, changesMs } = this.#list.limits;
      const rest = this.#toldAt + changesMs - Date.now();
      // The clock may have been set back since.
      const wait = Math.min(changesMs, Math.max(newsMs, rest));
      this.#timer = setTimeout(() => void this.#readAsTold(), wait);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #readAsTold(): Promise<void> {
    // Again at the end: what the agent says meanwhile must wait, too.
    this.#toldAt = Date.now();
    await this.#read();
    this.#toldAt = Date.now();
  }

  async #read(): Promise<void> {
    // Must not abort a page that the user waits for.
    for (let pending = this.#list.pending(); pending; pending = this.#list.pending()) {
      await pending;
    }
    this.#timer = undefined;
    await this.#list.read();
  }
}
