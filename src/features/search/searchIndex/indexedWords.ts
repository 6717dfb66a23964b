import { maxWordLength, wordsOfPiece } from '../../../model/text/searchWords';

const blank = 0x20;
const utf8 = new TextDecoder();
/** Slots for words seen before, a power of two. If words collide, one may be emitted twice. */
const maxKnownWords = 2 ** 13;
/** Offsets of the last word seen in each slot. */
const starts = new Int32Array(maxKnownWords);
const ends = new Int32Array(maxKnownWords);

const signs = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 || /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? 0 : 1,
);

/**
 * The words of a UTF-8 text for the index, separated by blanks. ASCII letters keep their case,
 * which the index ignores. Works on bytes, because most words are repetitions: creating a string
 * for each takes several times as long.
 */
export function indexedWords(text: Uint8Array): Buffer {
  const words = Buffer.allocUnsafe(text.length + 1);
  let length = 0;
  const others: string[] = [];
  ends.fill(0);
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let number = 0;
    let bits = 0;
    for (; at < text.length; at++) {
      const byte = text[at] ?? blank;
      if (signs[byte] === 1) {
        break;
      }
      number = (Math.imul(number, 31) + byte) | 0;
      bits |= byte;
    }
    if (
      at === start ||
      isKnown(text, start, at, (number ^ (number >>> 13)) & (maxKnownWords - 1))
    ) {
      continue;
    }
    if (bits < 128 && at - start <= maxWordLength) {
      for (let from = start; from < at; from++) {
        words[length++] = text[from] ?? blank;
      }
      words[length++] = blank;
    } else {
      others.push(wordsOfPiece(utf8.decode(text.subarray(start, at))).join(' '));
    }
  }
  return Buffer.concat([words.subarray(0, length), Buffer.from(others.join(' '))]);
}

/** Whether this exact piece was seen before; records it. */
function isKnown(text: Uint8Array, start: number, end: number, number: number): boolean {
  const known = starts[number] ?? 0;
  const length = end - start;
  let same = (ends[number] ?? 0) - known === length ? 0 : -1;
  while (same >= 0 && same < length && text[known + same] === text[start + same]) {
    same++;
  }
  starts[number] = start;
  ends[number] = end;
  return same === length;
}
