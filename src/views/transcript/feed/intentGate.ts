import type { Draft, QueuedPrompt } from '../../../shared/prompt/prompt';
import type { FromWebview } from '../../../shared/transcript/webviewMessages';

/** Of these the newest is all that counts, so those that come in one go are one. */
const newestCounts: ReadonlySet<FromWebview['type']> = new Set([
  'window',
  'resync',
  'typing',
  'find',
  'searchFiles',
]);
/** Intents that are worked on at the same time; a person doesn't get there. */
const mostRunning = 200;
/** Prompts that wait, and characters of what goes along with all of them. */
const mostQueued = 100;
const mostQueuedCharacters = 200_000_000;

/** Hands on what a webview asks for, in its order, no faster than that can be done. */
export class IntentGate {
  readonly #handle: (intent: FromWebview) => Promise<void>;
  /** By type, oldest first. */
  readonly #waiting = new Map<FromWebview['type'], FromWebview>();
  #running = 0;

  /** `handle` must not reject. */
  constructor(handle: (intent: FromWebview) => Promise<void>) {
    this.#handle = handle;
  }

  /** Whether there is room for one more; otherwise nothing is done. */
  take(intent: FromWebview): boolean {
    if (newestCounts.has(intent.type)) {
      if (this.#waiting.size === 0) {
        setImmediate(() => this.#flush());
      }
      this.#waiting.delete(intent.type);
      this.#waiting.set(intent.type, intent);
      return true;
    }
    this.#flush();
    return this.#run(intent);
  }

  #flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const intent of waiting) {
      this.#run(intent);
    }
  }

  #run(intent: FromWebview): boolean {
    if (this.#running >= mostRunning) {
      return false;
    }
    this.#running += 1;
    void this.#handle(intent).finally(() => {
      this.#running -= 1;
    });
    return true;
  }
}

/** Whether one more prompt can wait for the turn before it. */
export function canQueue(queue: readonly QueuedPrompt[], draft: Draft): boolean {
  const all = [...queue.map((queued) => queued.draft), draft];
  return (
    queue.length < mostQueued &&
    all.reduce((sum, each) => sum + charactersOf(each), 0) <= mostQueuedCharacters
  );
}

function charactersOf({ text, attachments }: Draft): number {
  return attachments.reduce(
    (sum, attachment) =>
      sum +
      (attachment.type === 'image'
        ? attachment.data.length
        : attachment.type === 'selection'
          ? attachment.text.length
          : 0),
    text.length,
  );
}
