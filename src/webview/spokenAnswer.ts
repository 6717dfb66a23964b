import * as l10n from '@vscode/l10n';

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
/** Nobody hears out a longer one, in UTF-16 units: looking for its end costs more the longer it is. */
const longestSentence = 2_000;
const fence = /^\s*(```|~~~)/;

/** A transcript as it stands. */
export interface Growing {
  readonly count: number;
  /** What an entry says to a person; empty for what is no answer. */
  readonly textOf: (index: number) => string;
}

/**
 * Reads an answer as it grows, for those who hear it: whole sentences, each once, and no code. A chunk may
 * end in the midst of a word.
 */
export class SpokenAnswer {
  #entry: number;
  #said = 0;
  #isCode = false;

  /** `entry`: the first one to read. */
  constructor(entry: number) {
    this.#entry = entry;
  }

  /** What was completed since the last call. `isOver`: nothing more comes, so what there is is complete. */
  next({ count, textOf }: Growing, isOver: boolean): string {
    const said: string[] = [];
    while (this.#entry < count) {
      const isDone = isOver || this.#entry < count - 1;
      const rest = textOf(this.#entry).slice(this.#said);
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

/** Where the last sentence begins, which may go on; one that has become too long is begun anew. */
function startOfLast(text: string): number {
  const cut = text.length - longestSentence;
  const tail = cut > 0 ? text.lastIndexOf(' ', cut) + 1 : 0;
  let start = tail;
  for (const { index } of sentences.segment(text.slice(tail))) {
    start = tail + index;
  }
  return start;
}

/** What is read of a line of Markdown: its words, without what only gives them a look. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{2}|`/g, '')
    .replaceAll('|', ' ')
    .trim();
}
