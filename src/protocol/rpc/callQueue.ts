import type { Message, MessageId } from './envelope';

/** Calls whose answers may contain a whole file or output, which is held until the agent has read it. */
const largeAnswers: ReadonlySet<unknown> = new Set(['fs/read_text_file', 'terminal/output']);
const maxLargeCalls = 4;

/**
 * Passes on an agent's calls in order. While the agent still has several large answers to read, the
 * next call for one waits, and so do all calls after it.
 */
export class CallQueue {
  readonly #forward: (message: Message) => void;
  /** Ids of passed-on calls for large answers; an agent may use an id more than once. */
  readonly #large: unknown[] = [];
  readonly #waiting: Message[] = [];

  constructor(forward: (message: Message) => void) {
    this.#forward = forward;
  }

  add(message: Message): void {
    this.#waiting.push(message);
    this.#handOn();
  }

  /** Call when the agent has read the answer to this request. */
  answered(id: MessageId): void {
    const place = this.#large.indexOf(id);
    if (place !== -1) {
      this.#large.splice(place, 1);
      this.#handOn();
    }
  }

  #handOn(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const isLarge = largeAnswers.has(next['method']);
      if (isLarge && this.#large.length >= maxLargeCalls) {
        return;
      }
      if (isLarge) {
        this.#large.push(next['id']);
      }
      this.#waiting.shift();
      this.#forward(next);
    }
  }
}
