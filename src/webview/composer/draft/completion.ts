import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ContextSuggestion, FileSuggestion } from '../../../shared/transcript/questions';
import type { SessionState } from '../../../shared/transcript/webviewMessages';
import type { Ask } from '../../state/asking';
import { type Trigger, triggerAt } from './trigger';

type Command = SessionState['commands'][number];
type SavedPrompt = SessionState['savedPrompts'][number];

export type Suggestion =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'savedPrompt'; readonly prompt: SavedPrompt }
  | { readonly kind: 'file'; readonly file: FileSuggestion }
  | { readonly kind: 'context'; readonly context: ContextSuggestion };

type Mention = Extract<Suggestion, { kind: 'file' | 'context' }>;

/** Debounce of searches, in milliseconds. */
const pause = 60;
const most = 200;

/** Suggestions at the caret: the agent's commands (CM-1), the workspace's saved prompts, and what can be mentioned. */
export class Completion {
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>;
  readonly #selected = signal(0);
  readonly #trigger = signal<Trigger | undefined>(undefined);
  readonly #dismissed = signal(false);
  readonly #mentions = signal<readonly Mention[]>([]);
  readonly #ask: Ask;
  readonly #refuse: (problem: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `refuse` says why nothing that can be mentioned is suggested. */
  constructor(
    session: ReadonlySignal<SessionState | undefined>,
    ask: Ask,
    refuse: (problem: string) => void,
  ) {
    this.#ask = ask;
    this.#refuse = refuse;
    const commands = computed(() => session.value?.commands ?? []);
    const savedPrompts = computed(() => session.value?.savedPrompts ?? []);
    this.suggestions = computed(() => {
      const trigger = this.#trigger.value;
      if (!trigger || this.#dismissed.value) {
        return [];
      }
      return trigger.kind === 'mention'
        ? this.#mentions.value
        : [
            ...matching(commands.value, trigger.query).map((command) => ({
              kind: 'command' as const,
              command,
            })),
            ...matching(savedPrompts.value, trigger.query).map((prompt) => ({
              kind: 'savedPrompt' as const,
              prompt,
            })),
          ];
    });
  }

  get trigger(): Trigger | undefined {
    return this.#trigger.peek();
  }

  get isOpen(): boolean {
    return this.suggestions.peek().length > 0;
  }

  /** Index of the suggestion that Enter accepts. */
  get selected(): ReadonlySignal<number> {
    return this.#selected;
  }

  get current(): Suggestion | undefined {
    return this.suggestions.peek()[this.#selected.peek()];
  }

  /** Call when the text or the caret has changed; without a caret there are no suggestions. */
  update(text: string, caret: number | undefined): void {
    const before = this.#trigger.peek();
    const trigger = caret === undefined ? undefined : triggerAt(text, caret);
    if (isSame(before, trigger)) {
      return;
    }
    batch(() => {
      this.#trigger.value = trigger;
      this.#selected.value = 0;
      if (before?.kind !== trigger?.kind || before?.start !== trigger?.start) {
        this.#dismissed.value = false;
        this.#mentions.value = [];
      }
      this.#search(trigger);
    });
  }

  dismiss(): void {
    this.#dismissed.value = true;
  }

  select(index: number): void {
    this.#selected.value = index;
  }

  /** Selects the next or previous suggestion, wrapping around. */
  move(by: 1 | -1): void {
    const total = this.suggestions.peek().length;
    if (total > 0) {
      this.#selected.value = (this.#selected.peek() + by + total) % total;
    }
  }

  #search(trigger: Trigger | undefined): void {
    clearTimeout(this.#timer);
    if (trigger?.kind === 'mention') {
      this.#timer = setTimeout(() => void this.#find(trigger), pause);
    }
  }

  /** Ignores replies about what was written before. */
  async #find(trigger: Trigger): Promise<void> {
    try {
      const found = await this.#ask({ type: 'searchMentions', text: trigger.query });
      if (trigger === this.#trigger.peek()) {
        batch(() => {
          this.#mentions.value = found.map((each) =>
            'source' in each ? { kind: 'context', context: each } : { kind: 'file', file: each },
          );
          this.#selected.value = 0;
        });
      }
    } catch (error) {
      if (trigger === this.#trigger.peek()) {
        this.#refuse((error as Error).message);
      }
    }
  }
}

/** Items whose name starts with the query, followed by those that contain it elsewhere. */
function matching<T extends { readonly name: string }>(
  all: readonly T[],
  query: string,
): readonly T[] {
  const wanted = query.toLowerCase();
  const place = ({ name }: T): number => name.toLowerCase().indexOf(wanted);
  const found = all.filter((one) => place(one) >= 0);
  const first = found.filter((one) => place(one) === 0);
  const rest = found.filter((one) => place(one) > 0);
  return [...first, ...rest].slice(0, most);
}

function isSame(a: Trigger | undefined, b: Trigger | undefined): boolean {
  return a?.kind === b?.kind && a?.start === b?.start && a?.end === b?.end && a?.query === b?.query;
}
