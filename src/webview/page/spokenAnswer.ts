import * as l10n from '@vscode/l10n';

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
/** Bounds the search for a sentence's end, in UTF-16 units: its cost grows with the length. */
const maxSentenceLength = 2_000;
const fence = /^\s*(```|~~~)/;

/** A transcript that may still grow. */
export interface Growing {
  readonly count: number;
  /** The text of an entry to read out; empty unless it is part of the answer. */
  readonly getText: (index: number) => string;
}

/**
 * Reads a growing answer for screen readers: whole sentences, each once, without code. A chunk may
 * end in the middle of a word.
 */
export class SpokenAnswer {
  #entry: number;
  #said = 0;
  #isCode = false;

  /** `entry`: index of the first entry to read. */
  constructor(entry: number) {
    this.#entry = entry;
  }

  /**
   * The text completed since the last call. `isOver`: nothing follows, so all remaining text is
   * complete.
   */
  next({ count, getText }: Growing, isOver: boolean): string {
    const said: string[] = [];
    while (this.#entry < count) {
      const isDone = isOver || this.#entry < count - 1;
      const rest = getText(this.#entry).slice(this.#said);
      const complete = isDone ? rest : rest.slice(0, startOfLast(rest));
      said.push(this.#plain(complete));
      this.#said += complete.length;
      if (!isDone || this.#entry === count - 1) {
        break;
      }
      this.#entry++;
      this.#said = 0;
      this.#isCode = false;
    }
    return said.filter((text) => text !== '').join(' ');
  }

  #plain(markdown: string): string {
    const lines: string[] = [];
    for (const line of markdown.split('\n')) {
      if (fence.test(line)) {
        this.#isCode = !this.#isCode;
        lines.push(this.#isCode ? l10n.t('Code.') : '');
      } else if (!this.#isCode) {
        lines.push(withoutMarks(line));
      }
    }
    return lines.filter((line) => line !== '').join(' ');
  }
}

/** Start of the last sentence, which may still grow; an overlong sentence is split first. */
function startOfLast(text: string): number {
  const cut = text.length - maxSentenceLength;
  const tail = cut > 0 ? text.lastIndexOf(' ', cut) + 1 : 0;
  let start = tail;
  for (const { index } of sentences.segment(text.slice(tail))) {
    start = tail + index;
  }
  return start;
}

/** The text of a line of Markdown, without its formatting marks. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{2}|`/g, '')
    .replaceAll('|', ' ')
    .trim();
}
