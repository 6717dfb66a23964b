import * as l10n from '@vscode/l10n';
import { parseDraft } from '../../../shared/transcript/parseDraft';
import { type Draft, isEmptyDraft } from '../../../shared/transcript/prompt';
import type { FromWebview } from '../../../shared/transcript/webviewMessages';
import { isEqual } from '../../state/keepEqual';
import type { ComposerState } from './composerState';

/** Debounce in milliseconds: each message carries the whole text. */
const pause = 300;

/**
 * Sends the draft to the host as it changes, so that it survives the page. Nothing is sent before
 * the host's own draft has arrived, which it would overwrite.
 */
export class DraftKeeper {
  readonly #composer: Pick<ComposerState, 'draft' | 'restored' | 'refuse'>;
  readonly #post: (message: FromWebview) => void;
  /** The draft as the host has it. */
  #told: Draft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    composer: Pick<ComposerState, 'draft' | 'restored' | 'refuse'>,
    post: (message: FromWebview) => void,
  ) {
    this.#composer = composer;
    this.#post = post;
    composer.draft.subscribe((draft) => this.#note(draft));
  }

  /** Sends the draft immediately: the page may be destroyed at any moment. */
  flush(): void {
    clearTimeout(this.#timer);
    const draft = this.#composer.draft.peek();
    if (draft === undefined || draft === this.#told) {
      return;
    }
    if (!parseDraft(draft)) {
      this.#composer.refuse(
        l10n.t(
          'This draft is too large to be sent or saved. Shorten the text or remove attachments.',
        ),
      );
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
      const restored = this.#composer.restored.peek();
      this.#told = restored && isEqual(draft, restored) ? draft : restored;
    }
    clearTimeout(this.#timer);
    if (draft === this.#told) {
      return;
    }
    // What was sent must not be restored; and the host prepares what a prompt needs as soon as one is begun.
    if (isEmptyDraft(draft) || isEmptyDraft(this.#told ?? draft)) {
      this.flush();
    } else {
      this.#timer = setTimeout(() => this.flush(), pause);
    }
  }
}
