import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';

/**
 * Keeps a prompt from being shown twice: some agents send it back as `user_message_chunk`, in pieces,
 * once or repeatedly, others never do (UP-6, T-22). No id identifies an echo, so the text is compared.
 */
export class EchoFilter {
  readonly #text: string;
  readonly #others: number;
  /** The chunks so far of what looks like an echo. */
  #held: SessionUpdate[] = [];
  /** The length of the prompt's text that they cover, in UTF-16 units. */
  #seen = 0;
  #skipped = 0;
  /** The current message is not an echo: none of its later chunks is one either, whatever its text. */
  #isOther = false;
  #messageId: string | undefined;

  constructor(blocks: readonly Block[]) {
    this.#text = textOf(blocks);
    this.#others = blocks.filter((block) => block.type !== 'text').length;
  }

  /** Returns the updates to show: none for an echo, or all held chunks once they prove not to be one. */
  take(update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate !== 'user_message_chunk') {
      this.#isOther = false;
      return [...this.#release(), update];
    }
    const { content, messageId } = update;
    if (messageId !== this.#messageId) {
      // A new message begins, even without another update in between.
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
