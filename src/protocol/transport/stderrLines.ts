import { stripVTControlCharacters } from 'node:util';
import { LineSplitter } from '../lineSplitter';

const maxLineBytes = 8 * 1024;
const maxLineLength = 1000;
/** A stack, and the error above it, with the causes that each has one of its own. */
const tailLength = 100;
/** Lines passed on per second; further lines are only counted. */
const maxLinesPerSecond = 200;
/** Total number of characters passed on from one agent; a log keeps no more. */
const maxPassed = 4 * 1024 * 1024;

export interface StderrListeners {
  /** Logs lines: they are cut, and their total is bounded. */
  log(line: string): void;
  /** Passes lines to current listeners, at the full length that is kept. */
  say(line: string): void;
}

/**
 * An agent's stderr (TR-6): always drained, and passed on line by line, with a bounded rate, line
 * length and total.
 */
export class StderrLines {
  readonly #listeners: StderrListeners;
  readonly #splitter: LineSplitter;
  /** The last lines as received, including colors. */
  #tail: string[] = [];
  #second = 0;
  #passed = 0;
  /** Number of characters that may still be passed on. */
  #left = maxPassed;
  #leftOut = 0;

  constructor(listeners: StderrListeners) {
    this.#listeners = listeners;
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
    // Colors are removed later, because most lines of a flood are only counted.
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
    if (this.#passed >= maxLinesPerSecond) {
      this.#leftOut++;
      return;
    }
    this.#passed++;
    const text = withoutColours(line);
    if (text !== '') {
      this.#listeners.say(text);
      this.#write(cut(text));
    }
  }

  #write(line: string): void {
    if (this.#left <= 0) {
      return;
    }
    this.#left -= line.length;
    this.#listeners.log(line);
    if (this.#left <= 0) {
      this.#listeners.log(`… logging stopped after ${maxPassed} characters`);
    }
  }

  #reportLeftOut(): void {
    if (this.#leftOut > 0 && this.#left > 0) {
      this.#listeners.log(`… ${this.#leftOut} more lines`);
      this.#leftOut = 0;
    }
  }
}

function readable(raw: string): string {
  return cut(withoutColours(raw));
}

function withoutColours(raw: string): string {
  return stripVTControlCharacters(raw).trimEnd();
}

function cut(line: string): string {
  return line.length > maxLineLength + 100 ? `${line.slice(0, maxLineLength)}…` : line;
}
