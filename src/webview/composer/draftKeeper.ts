import type { ReadonlySignal } from '@preact/signals';
import { parseDraft } from '../../shared/prompt/parseDraft';
import { type Draft, isEmptyDraft } from '../../shared/prompt/prompt';
import type { FromWebview } from '../../shared/transcript/webviewMessages';

/** Pause in typing before the host is told, in ms: each time costs a message with all of the text. */
const pause = 300;

/**
 * Tells the host what is being written, so that nothing of it goes with the page; `undefined` as long as the
 * host hasn't said what was there before.
 */
export class DraftKeeper {
  readonly #draft: ReadonlySignal<Draft | undefined>;
  readonly #post: (message: FromWebview) => void;
  #told: Draft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(draft: ReadonlySignal<Draft | undefined>, post: (message: FromWebview) => void) {
    this.#draft = draft;
    this.#post = post;
    draft.subscribe((now) => this.#note(now));
  }

  /** The page may go at any moment. */
  flush(): void {
    clearTimeout(this.#timer);
    const draft = this.#draft.peek();
    if (draft === undefined || draft === this.#told || !parseDraft(draft)) {
      return;
    }
    const isSame = draft.attachments === this.#told?.attachments;
    this.#told = draft;
    this.#post({ type: 'draft', draft: isSame ? { text: draft.text } : draft });
  }

  #note(draft: Draft | undefined): void {
    if (draft === undefined) {
      return;
    }
    if (this.#told === undefined) {
      this.#told = draft;
      return;
    }
    clearTimeout(this.#timer);
    if (isEmptyDraft(draft)) {
      // It was sent, and must not come back.
      this.flush();
    } else {
      this.#timer = setTimeout(() => this.flush(), pause);
    }
  }
}
