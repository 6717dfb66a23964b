const phrases = [
  'the parser reads a line, checks it and hands it on',
  '`splitLines()` keeps what is not finished – until the rest comes',
  'tests prove what a person would notice',
  '**nothing** is lost when an agent stops in the middle',
  'see src/protocol/lineSplitter.ts for the details',
  'naïve code is measured first → then replaced',
].map((phrase) => `${phrase}; `);

/** Texts: for each phrase, all phrases from it to the last one, followed by all phrases twice. */
const texts = phrases.map((_, index) =>
  phrases.slice(index).join('').concat(phrases.join('').repeat(2)),
);

/** Text of `length` characters (at most 600) that starts with a phrase. */
export function prose(seed: number, length: number): string {
  return (texts[seed % texts.length] ?? '').slice(0, length);
}
