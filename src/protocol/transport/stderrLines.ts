import { stripVTControlCharacters } from 'node:util';
import { LineSplitter } from '../lineSplitter';

const maxLineBytes = 8 * 1024;
const maxLineLength = 1000;
const tailLength = 20;
/** Lines that are passed on in a second; the others are only counted. */
const maxLinesPerSecond = 200;
/** Characters that are passed on from one agent in all; a log keeps no more. */
const maxPassed = 4 * 1024 * 1024;

/** An agent's stderr (TR-6): always drained, passed on line by line, with a bounded rate, line length and total. */
export class StderrLines {
  readonly #onLine: (line: string) => void;
  readonly #splitter: LineSplitter;
  /** The last lines as they came, colours included. */
  #tail: string[] = [];
  #second = 0;
  #passed = 0;
  /** Characters that may still be passed on. */
  #left = maxPassed;
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
    return this.#tail.map(readable).filter((line) => line !== '');
  }

  push(bytes: Uint8Array): void {
    this.#splitter.push(bytes);
  }

  end(): void {
    this.#splitter.end();
    this.#reportLeftOut();
  }

  #receive(line: string): void {
    // Colours are removed only after this, because most lines of a flood are only counted.
    if (line.trim() === '') {
      return;
    }
    this.#tail.push(line);
    if (this.#tail.length > tailLength) {
      this.#tail.shift();
    }
    this.#pass(line);
  }

  #pass(line: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#passed = 0;
      this.#reportLeftOut();
    }
    if (this.#left > 0 && this.#passed < maxLinesPerSecond) {
      this.#passed++;
      this.#write(readable(line));
    } else {
      this.#leftOut++;
    }
  }

  #write(line: string): void {
    if (line === '') {
      return;
    }
    this.#left -= line.length;
    this.#onLine(line);
    if (this.#left <= 0) {
      this.#onLine(`… from here on nothing is logged: these were ${maxPassed} characters`);
    }
  }

  #reportLeftOut(): void {
    if (this.#leftOut > 0 && this.#left > 0) {
      this.#onLine(`… ${this.#leftOut} more lines`);
      this.#leftOut = 0;
    }
  }
}

function readable(raw: string): string {
  const line = stripVTControlCharacters(raw).trimEnd();
  return line.length > maxLineLength + 100 ? `${line.slice(0, maxLineLength)}…` : line;
}
