import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { mentioned } from '../../../shared/prompt/mentioned';
import { maxAttachments, parseDraft } from '../../../shared/transcript/parseDraft';
import { type Attachment, type Draft, isEmptyDraft } from '../../../shared/transcript/prompt';
import type {
  FromWebview,
  SavedState,
  ToWebview,
} from '../../../shared/transcript/webviewMessages';
import type { TranscriptState } from '../../state/state';
import { formatNumber } from '../../words/format';
import { Completion, type Suggestion } from './completion';
import { type FitImages, isTooLarge } from './largeImages';
import { PromptHistory } from './promptHistory';
import { SuggestedPrompts } from './suggestedPrompts';
import { complete, type Written, withPlainCommand } from './trigger';

type Kept = Pick<SavedState, 'history'>;

/** The prompt being written: its text, attachments, problems and history. */
export class ComposerState {
  readonly completion: Completion;
  readonly suggested: SuggestedPrompts;
  readonly #text = signal('');
  /** With those whose mention was deleted: undo brings them back. */
  readonly #attachments = signal<readonly Attachment[]>([]);
  readonly #problem = signal<string | undefined>(undefined);
  readonly #note = signal<string | undefined>(undefined);
  /** Images that are being made smaller; the prompt waits for them. */
  readonly #fitting = signal(0);
  readonly #wantsFocus = signal(false);
  readonly #placed = signal<Written | undefined>(undefined);
  readonly #history: PromptHistory;
  readonly #state: TranscriptState;
  readonly #fitImages: FitImages;
  readonly #post: (message: FromWebview) => void;

  readonly #restored = signal<Draft | undefined>(undefined);

  /** Prompts sent from this tab. */
  readonly history: ReadonlySignal<Kept['history']>;
  /** What is sent with the text. */
  readonly attachments: ReadonlySignal<readonly Attachment[]>;
  /** The draft for the host to keep; `undefined` until the host has sent the draft that was kept before. */
  readonly draft: ReadonlySignal<Draft | undefined>;
  /** Why the prompt can't be sent as it is (PR-2). */
  readonly obstacle: ReadonlySignal<string | undefined>;
  readonly canSend: ReadonlySignal<boolean>;

  /** `fitImages` makes images smaller that providers may refuse. */
  constructor(
    state: TranscriptState,
    post: (message: FromWebview) => void,
    kept: Kept,
    fitImages: FitImages = (attachments) => Promise.resolve({ attachments, notes: [] }),
  ) {
    this.#fitImages = fitImages;
    this.#state = state;
    this.#post = post;
    this.#history = new PromptHistory(kept.history);
    this.completion = new Completion(state.session, state.ask, (problem) => this.refuse(problem));
    this.suggested = new SuggestedPrompts(state.session, () => isEmptyDraft(this.#current));
    this.history = this.#history.texts;
    this.attachments = computed(() => this.#current.attachments);
    this.draft = computed(() => this.#restored.value && this.#current);
    this.obstacle = computed(() => {
      const hasImages = this.attachments.value.some(({ type }) => type === 'image');
      return hasImages && state.session.value?.takesImages === false
        ? l10n.t(
            '{0} doesn’t accept images. Remove them to send the prompt.',
            state.agentTitle.value,
          )
        : undefined;
    });
    this.canSend = computed(
      () =>
        state.session.value?.writable.kind === 'yes' &&
        (this.#text.value.trim() !== '' || this.attachments.value.length > 0) &&
        this.#fitting.value === 0 &&
        this.obstacle.value === undefined,
    );
  }

  get #current(): Draft {
    return mentioned({ text: this.#text.value, attachments: this.#attachments.value });
  }

  /** The draft that the host has kept and sent; `undefined` until then. */
  get restored(): ReadonlySignal<Draft | undefined> {
    return this.#restored;
  }

  get text(): ReadonlySignal<string> {
    return this.#text;
  }

  /** Why the last action failed, until the next one. */
  get problem(): ReadonlySignal<string | undefined> {
    return this.#problem;
  }

  /** What was done with the attachments, until the next action. */
  get note(): ReadonlySignal<string | undefined> {
    return this.#note;
  }

  /** Whether the text input must take the focus; the input then calls `tookFocus`. */
  get wantsFocus(): ReadonlySignal<boolean> {
    return this.#wantsFocus;
  }

  /** A text that wasn't typed, and its caret position; a new object each time. */
  get placed(): ReadonlySignal<Written | undefined> {
    return this.#placed;
  }

  /** Call when the user has typed. */
  type(text: string, caret: number): void {
    batch(() => {
      this.#text.value = text;
      this.#problem.value = undefined;
      this.completion.update(text, caret);
    });
  }

  /**
   * Call when the caret has moved, or is gone (`undefined`). Text that wasn't typed triggers no
   * suggestions.
   */
  moveCaret(caret: number | undefined): void {
    const text = this.#text.peek();
    if (text !== this.#placed.peek()?.text) {
      this.completion.update(text, caret);
    }
  }

  focus(): void {
    this.#wantsFocus.value = true;
  }

  tookFocus(): void {
    this.#wantsFocus.value = false;
  }

  /** Inserts a suggestion; what it mentions is also attached to the prompt. */
  choose(suggestion: Suggestion): void {
    const { trigger } = this.completion;
    if (!trigger) {
      return;
    }
    batch(() => {
      if (suggestion.kind === 'command') {
        this.#write(complete(this.#text.peek(), trigger, `/${suggestion.command.name}`));
      } else if (suggestion.kind === 'savedPrompt') {
        this.#write({ text: this.#text.peek().slice(trigger.end).trimStart(), caret: 0 });
        void this.#use(suggestion.prompt.uri);
      } else if (suggestion.kind === 'context') {
        const { source, about, mention, name, detail } = suggestion.context;
        this.#write(complete(this.#text.peek(), trigger, mention));
        this.attach([{ type: 'context', source, about, name, detail, mention }]);
      } else {
        const { uri, name } = suggestion.file;
        this.#write(complete(this.#text.peek(), trigger, `@${name}`));
        this.attach([{ type: 'file', uri, name, mention: `@${name}` }]);
      }
    });
  }

  /** Takes a suggested prompt, the first one if none is named, into the draft; returns `false` if there is none. */
  takeSuggested(text = this.suggested.shown.peek()[0]): boolean {
    if (text === undefined) {
      return false;
    }
    batch(() => this.#write({ text, caret: text.length }));
    this.focus();
    return true;
  }

  /** Adds attachments; images that providers may refuse are made smaller before. */
  attach(attachments: readonly Attachment[]): void {
    if (attachments.some(isTooLarge)) {
      void this.#attachFitted(attachments);
    } else {
      this.#attach(attachments);
    }
  }

  async #attachFitted(attachments: readonly Attachment[]): Promise<void> {
    this.#fitting.value++;
    try {
      const fitted = await this.#fitImages(attachments);
      batch(() => {
        this.#attach(fitted.attachments);
        this.#note.value = fitted.notes.join(' ');
      });
    } finally {
      this.#fitting.value--;
    }
  }

  #attach(attachments: readonly Attachment[]): void {
    batch(() => {
      this.#note.value = undefined;
      this.#problem.value = undefined;
      const taken = attachments.filter(
        ({ type }) => type !== 'image' || this.#state.session.peek()?.takesImages === true,
      );
      if (taken.length < attachments.length) {
        this.refuse(l10n.t('{0} doesn’t accept images.', this.#state.agentTitle.peek()));
      }
      const all = withoutDoubles([...this.#attachments.peek(), ...taken]);
      if (all.length > maxAttachments) {
        this.refuse(l10n.t('A prompt takes at most {0} attachments.', maxAttachments));
      }
      this.#attachments.value = all.slice(0, maxAttachments);
    });
  }

  remove(attachment: Attachment): void {
    batch(() => {
      this.#problem.value = undefined;
      this.#attachments.value = this.#attachments.peek().filter((other) => other !== attachment);
    });
  }

  /** Shows why an action failed. */
  refuse(problem: string): void {
    this.#problem.value = problem;
  }

  /** Recalls an older or newer prompt of this tab; returns `false` when there is none. */
  recall(direction: 'older' | 'newer'): boolean {
    const text = this.#history.step(this.#text.peek(), direction);
    if (text === undefined) {
      return false;
    }
    batch(() => this.#write({ text, caret: text.length }));
    return true;
  }

  /**
   * Sends the prompt; the host queues it while a turn is running (PR-5), or sends it into that turn
   * (T-39).
   */
  send({ now }: { readonly now?: true } = {}): void {
    if (!this.canSend.peek()) {
      return;
    }
    const draft: Draft = {
      text: withPlainCommand(
        this.#text.peek().trimEnd(),
        this.#state.session.peek()?.commands ?? [],
      ),
      attachments: this.attachments.peek(),
    };
    if (!parseDraft(draft)) {
      this.refuse(
        l10n.t('This is too large for one prompt. Shorten the text or remove attachments.'),
      );
      return;
    }
    this.#post({ type: 'prompt', draft, ...(now && { now }) });
    batch(() => {
      this.#history.add(draft.text);
      this.#clear();
      this.#state.jumpToLatest();
    });
  }

  /** Moves the prompt to an editor. */
  editInEditor(): void {
    const draft: Draft = { text: this.#text.peek(), attachments: this.attachments.peek() };
    if (!parseDraft(draft)) {
      this.refuse(
        l10n.t('This is too large to move to an editor. Shorten the text or remove attachments.'),
      );
      return;
    }
    this.#post({ type: 'editInEditor', draft });
    this.#clear();
  }

  receive(message: Extract<ToWebview, { type: 'attach' | 'edit' | 'draft' }>): void {
    switch (message.type) {
      case 'attach':
        this.attach(message.attachments);
        this.focus();
        return;
      case 'edit':
        this.#takeBack(message.draft);
        this.focus();
        return;
      case 'draft':
        this.#restore(message);
    }
  }

  /** Fills in a saved prompt. */
  async #use(uri: string): Promise<void> {
    try {
      const draft = await this.#state.ask({ type: 'usePrompt', uri });
      if (draft !== undefined) {
        this.#takeBack(draft);
        this.focus();
      }
    } catch (error) {
      this.refuse((error as Error).message);
    }
  }

  /** Restores the draft, only the first time: a later draft was written on this page. */
  #restore({ draft, left }: Extract<ToWebview, { type: 'draft' }>): void {
    if (this.#restored.peek()) {
      return;
    }
    batch(() => {
      this.#restored.value = draft;
      if (!isEmptyDraft(draft)) {
        this.#takeBack(draft);
      }
      if (left > 0) {
        this.refuse(notKept(left));
      }
    });
  }

  /** Prepends a returned prompt to the text written since. */
  #takeBack(draft: Draft): void {
    batch(() => {
      const texts = [draft.text, this.#text.peek()].filter((text) => text !== '');
      this.#attachments.value = withoutDoubles([...draft.attachments, ...this.#attachments.peek()]);
      this.#write({ text: texts.join('\n\n'), caret: draft.text.length });
    });
  }

  #clear(): void {
    batch(() => {
      this.#note.value = undefined;
      this.#attachments.value = [];
      this.#problem.value = undefined;
      this.#write({ text: '', caret: 0 });
    });
  }

  #write(written: Written): void {
    this.#text.value = written.text;
    this.#placed.value = { ...written };
    this.completion.update(written.text, undefined);
  }
}

function notKept(count: number): string {
  return count === 1
    ? l10n.t('1 part of what you wrote here was too large to keep.')
    : l10n.t('{0} parts of what you wrote here were too large to keep.', formatNumber(count));
}

/** Keeps the first occurrence of each attachment. */
function withoutDoubles(attachments: readonly Attachment[]): readonly Attachment[] {
  const seen = new Set<string>();
  return attachments.filter((attachment) => {
    if (attachment.type === 'image') {
      return true;
    }
    const key = keyOf(attachment);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function keyOf(attachment: Exclude<Attachment, { type: 'image' }>): string {
  switch (attachment.type) {
    case 'file':
      return attachment.uri;
    case 'selection':
      return `${attachment.uri}#${attachment.startLine}-${attachment.endLine}#${attachment.text}`;
    case 'text':
      return `${attachment.uri}#${attachment.name}#${attachment.text}`;
    case 'context':
      return `${attachment.source}:${attachment.about}`;
  }
}
