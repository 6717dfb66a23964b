/** A part of a text: UTF-16 units from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds secrets, in any order, in time that is linear in the length of the text: agents choose the texts. */
export type Finder = (text: string) => Iterable<Span>;

/** What stands in the place of a secret. */
export const hidden = '‹hidden›';

/** The text with `hidden` in the place of these parts, which may overlap. */
export function withoutSpans(text: string, spans: Iterable<Span>): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of merged(spans)) {
    parts.push(text.slice(end, span.start));
    end = span.end;
  }
  return end === 0 ? text : [...parts, text.slice(end)].join(hidden);
}

/** Merges spans in order; those that touch become one. */
function merged(spans: Iterable<Span>): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (span.end <= span.start) {
      continue;
    }
    if (last !== undefined && span.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else {
      result.push(span);
    }
  }
  return result;
}
