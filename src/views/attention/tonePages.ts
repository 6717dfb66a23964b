import type { Tone, ToneMessage } from '../../shared/tone';
import type { Disposable } from '../../util/disposable';

/** A page that may be there, and may be able to play a tone. */
export interface TonePage extends Disposable {
  /** `false` if the page isn't there at the moment. */
  readonly play: (tone: Tone) => boolean;
}

/** The pages that could play a tone, of which one does. */
export class TonePages {
  readonly #pages = new Set<TonePage>();

  /** `feed` knows whether the page is there. */
  add(feed: { readonly isLive: boolean }, post: (message: ToneMessage) => unknown): TonePage {
    const page = {
      play: (tone: Tone): boolean => {
        if (feed.isLive) {
          post({ type: 'tone', tone });
        }
        return feed.isLive;
      },
      dispose: (): void => {
        this.#pages.delete(page);
      },
    };
    this.#pages.add(page);
    return page;
  }

  /** Asks one page; the one after `silent` if that has answered that it can't. */
  play(tone: Tone, silent?: TonePage): void {
    const pages = [...this.#pages];
    const from = silent === undefined ? 0 : pages.indexOf(silent) + 1;
    pages.slice(from).some((page) => page.play(tone));
  }
}
