import type { Message, MessageId } from './messages';

/** Each may hold all of a large file until the agent has taken it. */
const mostReads = 4;

/**
 * Hands on what an agent calls, in its order. While it hasn't taken the answers to several reads of files yet, the
 * next one waits, and what comes after it.
 */
export class CallQueue {
  readonly #forward: (message: Message) => void;
  /** Ids of reads that were handed on; an agent may use one twice. */
  readonly #reads: unknown[] = [];
  readonly #waiting: Message[] = [];

  constructor(forward: (message: Message) => void) {
    this.#forward = forward;
  }

  add(message: Message): void {
    this.#waiting.push(message);
    this.#handOn();
  }

  /** The agent has taken the answer to this request. */
  answered(id: MessageId): void {
    const place = this.#reads.indexOf(id);
    if (place !== -1) {
      this.#reads.splice(place, 1);
      this.#handOn();
    }
  }

  #handOn(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const isRead = next['method'] === 'fs/read_text_file' && next['id'] !== undefined;
      if (isRead && this.#reads.length >= mostReads) {
        return;
      }
      if (isRead) {
        this.#reads.push(next['id']);
      }
      this.#waiting.shift();
      this.#forward(next);
    }
  }
}
