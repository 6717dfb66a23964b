import type { Attachment, Draft, QueuedPrompt } from '../../../shared/transcript/prompt';
import type { FromWebview } from '../../../shared/transcript/webviewMessages';

/** Types of which only the newest intent counts, so those that arrive together are coalesced. */
const newestCounts: ReadonlySet<FromWebview['type']> = new Set([
  'window',
  'resync',
  'typing',
  'find',
  'searchMentions',
]);
/** Maximum number of intents handled at the same time; a user doesn't reach it. */
const maxRunningIntents = 200;
/** Maximum number of queued prompts, and of the characters of all with their attachments. */
const maxQueuedPrompts = 100;
const maxQueuedCharacters = 200_000_000;

/** Passes a webview's intents on, in order, no faster than they can be handled. */
export class IntentGate {
  readonly #handle: (intent: FromWebview) => Promise<void>;
  /** The waiting intents by type, oldest first. */
  readonly #waiting = new Map<FromWebview['type'], FromWebview>();
  #running = 0;

  /** `handle` must not reject. */
  constructor(handle: (intent: FromWebview) => Promise<void>) {
    this.#handle = handle;
  }

  /** Handles one more intent; `false` if there is no room for it, and it is dropped. */
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
    if (this.#running >= maxRunningIntents) {
      return false;
    }
    this.#running += 1;
    void this.#handle(intent).finally(() => {
      this.#running -= 1;
    });
    return true;
  }
}

/** Whether one more prompt can be queued. */
export function canQueue(queue: readonly QueuedPrompt[], draft: Draft): boolean {
  const all = [...queue.map((queued) => queued.draft), draft];
  return (
    queue.length < maxQueuedPrompts &&
    all.reduce((sum, each) => sum + getCharacters(each), 0) <= maxQueuedCharacters
  );
}

function getCharacters({ text, attachments }: Draft): number {
  return attachments.reduce((sum, attachment) => sum + contentLength(attachment), text.length);
}

function contentLength(attachment: Attachment): number {
  switch (attachment.type) {
    case 'image':
      return attachment.data.length;
    case 'selection':
    case 'text':
      return attachment.text.length;
    case 'file':
    case 'context':
      return 0;
  }
}
