import { Buffer } from 'node:buffer';
import { ByteBuffer } from '../../../../protocol/byteBuffer';

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const field = Buffer.from('data:');
const lineEnd = Buffer.of(space);

export interface EventSplitterOptions {
  readonly maxBytes: number;
  /** Whether the data of an event, which is these bytes, may be delivered as a line among others. */
  isLine(bytes: Buffer, from: number, to: number): boolean;
  /** The data of such events, each with a line end. */
  onLines(lines: Buffer): void;
  /** The data of any other event, on one line: JSON has line ends only between its parts, and spaces do as well. */
  onData(data: Buffer): void;
  /** An event has more than `maxBytes`, of which each line of data has one for its end; nothing is delivered any more. */
  onOversize(): void;
}

/**
 * Splits a stream of server-sent events into their data (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * Comments and all other fields are left out. Holds nothing but the bytes that `maxBytes` counts.
 */
export class EventSplitter {
  readonly #options: EventSplitterOptions;
  /** The unfinished line. */
  readonly #line = new ByteBuffer();
  /** The data of the unfinished event, with a space for the end of each line. */
  readonly #data = new ByteBuffer();
  #isOver = false;

  constructor(options: EventSplitterOptions) {
    this.#options = options;
  }

  /** Bytes of what is unfinished. */
  get heldBytes(): number {
    return this.#line.length + this.#data.length;
  }

  /** The bytes are this object's from then on. */
  push(bytes: Buffer): void {
    let start = 0;
    // Lines that are still to be delivered are moved together, over what has been read of the bytes.
    let lines = 0;
    let linesEnd = 0;
    const deliver = (): void => {
      if (linesEnd > lines) {
        this.#options.onLines(bytes.subarray(lines, linesEnd));
      }
    };
    while (!this.#isOver) {
      const end = bytes.indexOf(newline, start);
      if (end === -1) {
        break;
      }
      const from = this.#lineFrom(bytes, start, end);
      if (from === undefined) {
        deliver();
        this.#take(this.#whole(bytes.subarray(start, end)));
        start = end + 1;
        lines = linesEnd = start;
      } else {
        bytes.copyWithin(linesEnd, from, end + 1);
        linesEnd += end + 1 - from;
        start = end + 2;
      }
    }
    deliver();
    if (!this.#isOver && start < bytes.length) {
      this.#line.append(bytes.subarray(start));
      this.#check();
    }
  }

  /** The start of an event's data that is a whole line, as nearly all are; `undefined` if it isn't. */
  #lineFrom(bytes: Buffer, start: number, end: number): number | undefined {
    const isWhole = this.heldBytes === 0 && bytes[end + 1] === newline;
    if (!isWhole || !isData(bytes, start) || end - start > this.#options.maxBytes) {
      return undefined;
    }
    const from = start + field.length + (bytes[start + field.length] === space ? 1 : 0);
    return this.#options.isLine(bytes, from, end) ? from : undefined;
  }

  #whole(rest: Buffer): Buffer {
    if (this.#line.length === 0) {
      return rest;
    }
    this.#line.append(rest);
    return this.#line.take();
  }

  #take(raw: Buffer): void {
    const line = raw.at(-1) === carriageReturn ? raw.subarray(0, -1) : raw;
    if (line.length === 0) {
      this.#finish();
      return;
    }
    if (isData(line, 0)) {
      this.#data.append(line.subarray(field.length + (line[field.length] === space ? 1 : 0)));
      this.#data.append(lineEnd);
      this.#check();
    }
  }

  #finish(): void {
    const data = this.#data.take().subarray(0, -lineEnd.length);
    if (data.length > 0) {
      this.#options.onData(data);
    }
  }

  #check(): void {
    if (this.heldBytes > this.#options.maxBytes) {
      this.#isOver = true;
      this.#line.take();
      this.#data.take();
      this.#options.onOversize();
    }
  }
}

function isData(bytes: Buffer, start: number): boolean {
  return beginsWith(bytes, start, field);
}

/** Whether the bytes from there on are these; in JavaScript, as the call of a system function takes longer. */
export function beginsWith(bytes: Buffer, start: number, what: Buffer): boolean {
  for (let at = 0; at < what.length; at++) {
    if (bytes[start + at] !== what[at]) {
      return false;
    }
  }
  return true;
}
