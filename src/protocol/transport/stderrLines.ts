import { stripVTControlCharacters } from 'node:util';
import { LineSplitter } from '../lineSplitter';

const maxLineBytes = 8 * 1024;
const maxLineLength = 1000;
const tailLength = 20;
/** Lines a second that are passed on; the rest is counted. */
const maxLinesPerSecond = 200;

/** What an agent says on stderr (TR-6): drained always, passed on line by line, bounded in every way. */
export class StderrLines {
  readonly #onLine: (line: string) => void;
  readonly #splitter: LineSplitter;
  #tail: string[] = [];
  #second = 0;
  #passed = 0;
  #leftOut = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
    this.#splitter = new LineSplitter({
      maxBytes: maxLineBytes,
      onLine: (line) => this.#receive(line),
      onOversize: ({ head, bytes }) =>
        this.#receive(`${head.slice(0, maxLineLength)}… (${bytes} bytes)`),
    });
  }

  /** The last lines, oldest first. */
  get tail(): readonly string[] {
    return this.#tail;
  }

  push(bytes: Uint8Array): void {
    this.#splitter.push(bytes);
  }

  end(): void {
    this.#splitter.end();
    this.#reportLeftOut();
  }

  #receive(raw: string): void {
    const line = stripVTControlCharacters(raw).trimEnd();
    if (line === '') {
      return;
    }
    const text = line.length > maxLineLength + 100 ? `${line.slice(0, maxLineLength)}…` : line;
    this.#tail = [...this.#tail.slice(1 - tailLength), text];
    this.#pass(text);
  }

  #pass(line: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#passed = 0;
      this.#reportLeftOut();
    }
    if (this.#passed < maxLinesPerSecond) {
      this.#passed++;
      this.#onLine(line);
    } else {
      this.#leftOut++;
    }
  }

  #reportLeftOut(): void {
    if (this.#leftOut > 0) {
      this.#onLine(`… ${this.#leftOut} more lines`);
      this.#leftOut = 0;
    }
  }
}
