import type { FromWebview } from '../shared/messages';
import type { TranscriptState } from './state';

export type Copied = 'entry' | 'turn' | 'code';
type CodePlace = Extract<FromWebview, { type: 'copyCode' }>;

/**
 * Finds what a command of the context menu or the palette means, and asks the host to copy it: the
 * host has the whole of what is drawn in part here.
 */
export class Copying {
  readonly #state: TranscriptState;
  readonly #post: (message: FromWebview) => void;
  /** The code that the context menu was opened on. */
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
    const place = code && placeOf(code);
    if (place) {
      this.#post(place);
    }
  }
}

function codeAround(target: EventTarget | null): Element | undefined {
  return (target instanceof Element && target.closest('figure.code')) || undefined;
}

/** Where the model has a piece of code: in which text of which entry, and which of the pieces there. */
function placeOf(code: Element): CodePlace | undefined {
  const index = code.closest<HTMLElement>('.row')?.dataset['index'];
  const [part, item = '0'] = code.getAttribute('data-part')?.split('.') ?? [];
  const text = code.closest('.text');
  const at = text ? [...text.querySelectorAll('figure.code')].indexOf(code) : 0;
  switch (part) {
    case 'blocks':
    case 'content':
    case 'rawInput':
    case 'rawOutput':
      return { type: 'copyCode', index: Number(index), part, item: Number(item), at };
    default:
      return undefined;
  }
}
