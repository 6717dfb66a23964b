/** The log that this layer writes to; the model's `Log` is compatible. */
export interface ProtocolLog {
  warn(message: string): void;
  info(message: string): void;
}

/** Kinds that are counted separately; all further kinds are counted together. */
const maxKinds = 100;

/**
 * Logs events that an agent may repeat endlessly: the first `inFull` of each kind in full, then a
 * count at each power of ten (UP-3, T-30).
 */
export class CountedLog {
  readonly #log: ProtocolLog;
  readonly #inFull: number;
  readonly #counts = new Map<string, number>();

  constructor(log: ProtocolLog, inFull: number) {
    this.#log = log;
    this.#inFull = inFull;
  }

  /** `detail` is only called if it is logged, and its text is cut to `maxDetail` characters. */
  note(kind: string, detail: () => string): void {
    const key = this.#counts.has(kind) || this.#counts.size < maxKinds ? kind : 'others';
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= this.#inFull) {
      this.#log.warn(`${kind}: ${shorten(detail(), maxDetail)}`);
    } else if (isPowerOfTen(count)) {
      this.#log.warn(`${key}: ${count} times so far`);
    }
  }
}

const maxDetail = 2000;

/** Text for the log: a single line of at most `max` characters, with a note about the rest. */
export function shorten(text: string, max: number): string {
  const head = text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;
  // JSON escapes, so that control characters can neither break the line nor color the log.
  return JSON.stringify(head).slice(1, -1).replaceAll('\\"', '"');
}

function isPowerOfTen(count: number): boolean {
  return /^10+$/.test(String(count));
}
