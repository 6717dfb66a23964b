import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';

/**
 * Keeps a prompt from being shown twice: some agents send it back as `user_message_chunk`, in pieces, once
 * or more, others never do (UP-6, T-22). There is no id to know it by, so its text is compared.
 */
export class EchoFilter {
  readonly #text: string;
  readonly #others: number;
  /** Pieces of what looks like an echo so far. */
  #held: SessionUpdate[] = [];
  /** How much of the text they are. */
  #seen = 0;
  #skipped = 0;
  /** The message under way is another one: no later piece of it is an echo, whatever it says. */
  #isOther = false;
  #messageId: string | undefined;

  constructor(blocks: readonly Block[]) {
    this.#text = textOf(blocks);
    this.#others = blocks.filter((block) => block.type !== 'text').length;
  }

  /** What of it is to be shown: nothing of an echo, all that was held back when it turns out to be none. */
  take(update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate !== 'user_message_chunk') {
      this.#isOther = false;
      return [...this.#release(), update];
    }
    const { content, messageId } = update;
    if (messageId !== this.#messageId) {
      // Another message begins, even with nothing between.
      this.#messageId = messageId;
      this.#isOther = false;
    }
    if (this.#isOther) {
      return [update];
    }
    if (content.type !== 'text') {
      this.#skipped++;
      return this.#skipped > 2 * this.#others ? [...this.#release(), update] : [];
    }
    if (!this.#text.startsWith(content.text, this.#seen)) {
      this.#isOther = true;
      return [...this.#release(), update];
    }
    this.#seen += content.text.length;
    this.#held.push(update);
    if (this.#seen === this.#text.length) {
      this.#release();
    }
    return [];
  }

  #release(): readonly SessionUpdate[] {
    const held = this.#held;
    this.#held = [];
    this.#seen = 0;
    return held;
  }
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
