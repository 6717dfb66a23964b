/**
 * Parts of texts that are kept longer than the texts: V8 holds the whole text in memory as long as anything refers to a
 * part of it.
 */

/** A copy of a text that was cut from another one. */
export function copied(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** A part of a text that holds no more than twice its own size in memory. */
export function ownPart(part: string, text: string): string {
  return 2 * part.length < text.length ? copied(part) : part;
}

/** The first `most` UTF-16 units of a text, an `ownPart` of it; one less rather than half a surrogate pair. */
export function getBeginning(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return ownPart(text.slice(0, end), text);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
