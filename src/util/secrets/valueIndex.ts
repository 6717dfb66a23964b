import type { Span } from './spans';

/** UTF-16 units by which values are looked up; no value is shorter. */
const beginningUnits = 4;
/** Bits of a hash of so many units. */
const hashBits = 16;
const unitBits = hashBits / beginningUnits;
const hashMask = (1 << hashBits) - 1;
const wordAtEnd = /[\p{L}\p{N}_]$/u;
const wordAtStart = /^[\p{L}\p{N}_]/u;

/** Finds any number of values in a text. How long that takes depends on the text, hardly on how many they are. */
export class ValueIndex {
  /** Longest first. */
  readonly #byBeginning = new Map<string, Value[]>();
  readonly #hashes = new Uint8Array(1 << hashBits);

  /** A value of four units at least; `isWord` finds it only where it isn't part of a longer word. */
  add(text: string, isWord: boolean): void {
    const beginning = text.slice(0, beginningUnits);
    const values = this.#byBeginning.get(beginning) ?? [];
    if (values.some((value) => value.text === text && value.isWord === isWord)) {
      return;
    }
    const at = values.findIndex((value) => value.text.length < text.length);
    values.splice(at === -1 ? values.length : at, 0, { text, isWord });
    this.#byBeginning.set(beginning, values);
    this.#hashes[computeHash(beginning)] = 1;
  }

  /** The places of values, in order; they may overlap. */
  *foundIn(text: string): Iterable<Span> {
    let over = 0;
    let hash = 0;
    for (let last = 0; last < text.length; last++) {
      hash = nextHash(hash, text.charCodeAt(last));
      const start = last + 1 - beginningUnits;
      if (start >= 0 && this.#hashes[hash] === 1) {
        const end = start + this.#lengthAt(text, start);
        if (end > start && end > over) {
          over = end;
          yield { start, end };
        }
      }
    }
  }

  /** The length of the longest value that begins here; 0 if none does. */
  #lengthAt(text: string, at: number): number {
    const values = this.#byBeginning.get(text.slice(at, at + beginningUnits)) ?? [];
    const found = values.find(
      (value) =>
        text.startsWith(value.text, at) &&
        !(value.isWord && isWithinWord(text, at, at + value.text.length)),
    );
    return found?.text.length ?? 0;
  }
}

interface Value {
  readonly text: string;
  readonly isWord: boolean;
}

/** The units before the last four are shifted out of it. */
function nextHash(hash: number, unit: number): number {
  return ((hash << unitBits) ^ unit) & hashMask;
}

function computeHash(beginning: string): number {
  let hash = 0;
  for (let at = 0; at < beginning.length; at++) {
    hash = nextHash(hash, beginning.charCodeAt(at));
  }
  return hash;
}

function isWithinWord(text: string, start: number, end: number): boolean {
  return (
    wordAtEnd.test(text.slice(Math.max(0, start - 2), start)) ||
    wordAtStart.test(text.slice(end, end + 2))
  );
}
