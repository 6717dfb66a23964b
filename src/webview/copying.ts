import type { FromWebview } from '../shared/transcript/webviewMessages';
import { findCodePlace } from './codePlace';
import type { TranscriptState } from './state/state';

export type Copied = 'entry' | 'turn' | 'code';

/**
 * Resolves the target of a copy command from the context menu or the palette, then asks the host to
 * copy it: the host has the full text of what is only partly drawn here.
 */
export class Copying {
  readonly #state: TranscriptState;
  readonly #post: (message: FromWebview) => void;
  /** The code block that the context menu was opened on. */
  #menuCode: Element | undefined;

  constructor(state: TranscriptState, post: (message: FromWebview) => void) {
    this.#state = state;
    this.#post = post;
    const forget = (): void => {
      this.#menuCode = undefined;
    };
    document.addEventListener('keydown', forget, true);
    document.addEventListener('pointerdown', forget, true);
    document.addEventListener('contextmenu', ({ target }) => {
      this.#menuCode = codeAround(target);
    });
  }

  copy(what: Copied): void {
    if (what !== 'code') {
      const { current, rows } = this.#state;
      this.#post({ type: 'copy', what, index: current, last: rows.lastAt(current) });
      return;
    }
    const code = this.#menuCode ?? codeAround(document.activeElement);
    const place = code && findCodePlace(code);
    if (place) {
      this.#post({ type: 'copyCode', ...place });
    }
  }
}

function codeAround(target: EventTarget | null): Element | undefined {
  return (target instanceof Element && target.closest('figure.code')) || undefined;
}
