import type { ReadonlySignal } from '@preact/signals';
import { parseDraft } from '../../shared/prompt/parseDraft';
import { type Draft, isEmptyDraft } from '../../shared/prompt/prompt';
import type { FromWebview } from '../../shared/transcript/webviewMessages';

/** Debounce in milliseconds: each message carries the whole text. */
const pause = 300;

/**
 * Sends the draft to the host as it changes, so that it survives the page. The draft is `undefined`
 * until the host has sent the one kept before.
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

  /** Sends the draft immediately: the page may be destroyed at any moment. */
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
      // It was sent, and must not be restored.
      this.flush();
    } else {
      this.#timer = setTimeout(() => this.flush(), pause);
    }
  }
}
