import { Buffer } from 'node:buffer';

const newline = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const field = Buffer.from('data');
const none = Buffer.alloc(0);

export interface EventSplitterOptions {
  readonly maxBytes: number;
  /** The data of one event, on one line: JSON has line ends only between its parts. */
  onData(data: Buffer): void;
  /** An event has more than `maxBytes`; nothing is delivered any more. */
  onOversize(): void;
}

/**
 * Splits a stream of server-sent events into their data (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * Comments and all other fields are left out. Never holds more than `maxBytes`.
 */
export class EventSplitter {
  readonly #options: EventSplitterOptions;
  /** The unfinished line, in the pieces in which it came. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** The data of the unfinished event. */
  #data: Buffer[] = [];
  #dataBytes = 0;
  #isOver = false;

  constructor(options: EventSplitterOptions) {
    this.#options = options;
  }

  push(bytes: Buffer): void {
    let start = 0;
    while (!this.#isOver) {
      const end = bytes.indexOf(newline, start);
      if (end === -1) {
        break;
      }
      this.#line(this.#whole(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (!this.#isOver && start < bytes.length) {
      this.#pieces.push(bytes.subarray(start));
      this.#pieceBytes += bytes.length - start;
      this.#check();
    }
  }

  #whole(rest: Buffer): Buffer {
    if (this.#pieces.length === 0) {
      return rest;
    }
    const line = Buffer.concat([...this.#pieces, rest]);
    this.#pieces = [];
    this.#pieceBytes = 0;
    return line;
  }

  #line(raw: Buffer): void {
    const line = raw.at(-1) === carriageReturn ? raw.subarray(0, -1) : raw;
    if (line.length === 0) {
      this.#finish();
      return;
    }
    const isData = line.subarray(0, field.length).equals(field) && line[field.length] === colon;
    if (isData) {
      const from = field.length + (line[field.length + 1] === space ? 2 : 1);
      this.#data.push(line.subarray(from));
      this.#dataBytes += line.length - from;
      this.#check();
    }
  }

  #finish(): void {
    const [first = none, ...others] = this.#data;
    this.#data = [];
    this.#dataBytes = 0;
    if (first.length > 0 || others.length > 0) {
      this.#options.onData(others.length === 0 ? first : Buffer.concat([first, ...others]));
    }
  }

  #check(): void {
    if (this.#pieceBytes + this.#dataBytes > this.#options.maxBytes) {
      this.#isOver = true;
      this.#pieces = [];
      this.#data = [];
      this.#options.onOversize();
    }
  }
}
