import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type { WholeMessage } from '../transcript/reduceMessage';

interface EchoHost {
  /** Whether the transcript has a message of the user with this unique id, perhaps a cleared one. */
  hasMessage(messageId: string): boolean;
  /**
   * The prompt's unique id is known (V2-TURN-7). Returns whether the transcript had that message
   * already, so that it has taken the prompt's place.
   */
  named(messageId: string): boolean;
}

const noHost: EchoHost = { hasMessage: () => false, named: () => false };

/**
 * Keeps a prompt from being shown twice: some agents send it back, as a whole or in pieces, once or
 * repeatedly, others never do (UP-6, T-22). The text is compared, because an echo may come before anything tells the
 * prompt's id. Once that is known, what comes with it changes the prompt's entry, unless it only repeats the prompt.
 */
export class EchoFilter {
  readonly #text: string;
  readonly #others: number;
  readonly #host: EchoHost;
  /** The chunks so far of what looks like an echo. */
  #held: SessionUpdate[] = [];
  /** The length of the prompt's text that they cover, in UTF-16 units. */
  #seen = 0;
  #skipped = 0;
  /** The current message is not an echo: none of its later chunks is one either, whatever its text. */
  #isOther = false;
  #messageId: string | undefined;
  /** The prompt's unique id, once it is known; a message with another one isn't an echo. */
  #ownId: string | undefined;
  /** Whether the message with that id has come as a whole, so that further chunks add to it. */
  #isWhole = false;
  /** Whether the content isn't that of the prompt any more. */
  #isChanged = false;

  constructor(blocks: readonly Block[], host: EchoHost = noHost) {
    this.#text = getText(blocks);
    this.#others = blocks.filter((block) => block.type !== 'text').length;
    this.#host = host;
  }

  /** Returns the updates to show: none for an echo, or all held chunks once they prove not to be one. */
  take(update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate === 'user_message') {
      return this.#takeWhole(update);
    }
    if (update.sessionUpdate === 'state_update' && update.state !== 'idle') {
      // It may come between two chunks, and isn't shown among them.
      return [update];
    }
    if (update.sessionUpdate !== 'user_message_chunk') {
      if (this.#ownId !== undefined && this.#ownId === this.#messageId) {
        return [update];
      }
      this.#isOther = false;
      return [...this.#release(), update];
    }
    const { content, messageId, idIsUnique } = update;
    const ownId = idIsUnique ? messageId : undefined;
    if (ownId !== undefined && this.#isAnother(ownId)) {
      return [...this.#release(), update];
    }
    const isOwn = ownId !== undefined && ownId === this.#ownId;
    if (isOwn && this.#isWhole && content.type === 'text') {
      this.#isChanged = true;
      return [update];
    }
    if (messageId !== this.#messageId) {
      // A new message begins, even without another update in between.
      this.#messageId = messageId;
      this.#isOther = false;
      if (ownId !== undefined && this.#held.length > 0) {
        return [...this.#release(), ...this.take(update)];
      }
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
      return isOwn ? this.#startOver(ownId, update) : [...this.#release(), update];
    }
    this.#seen += content.text.length;
    this.#held.push(update);
    if (this.#seen === this.#text.length) {
      this.#release();
      if (ownId !== undefined) {
        this.#isWhole = true;
        this.name(ownId);
      }
    }
    return [];
  }

  #takeWhole(update: WholeMessage): readonly SessionUpdate[] {
    const { messageId, content } = update;
    const saysTheSame =
      content !== undefined && content.length > 0 && getText(content) === this.#text;
    if (saysTheSame && !this.#isChanged && !this.#isAnother(messageId)) {
      const held = this.#release();
      const isPart = this.#messageId === messageId;
      this.#isWhole = true;
      this.name(messageId);
      return isPart ? [] : held;
    }
    if (content !== undefined && messageId === this.#ownId) {
      this.#isWhole = true;
      this.#isChanged = true;
    }
    return [...this.#release(), update];
  }

  /** The agent streams the prompt with other words: they replace those that are shown. */
  #startOver(messageId: string, update: SessionUpdate): readonly SessionUpdate[] {
    this.#isWhole = true;
    this.#isChanged = true;
    const cleared = { sessionUpdate: 'user_message', messageId, content: [] } as const;
    return [cleared, ...this.#release(), update];
  }

  #isAnother(messageId: string): boolean {
    return this.#ownId === undefined ? this.#host.hasMessage(messageId) : this.#ownId !== messageId;
  }

  /** The agent has told the prompt's id, with an echo or otherwise. */
  name(messageId: string): void {
    if (this.#ownId === undefined) {
      this.#ownId = messageId;
      if (this.#host.named(messageId)) {
        this.#isWhole = true;
        this.#isChanged = true;
      }
    }
  }

  #release(): readonly SessionUpdate[] {
    const held = this.#held;
    this.#held = [];
    this.#seen = 0;
    return held;
  }
}

function getText(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
