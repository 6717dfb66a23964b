import type { PromptDocument, Segment, SegmentOf, Span } from './promptDocument';
import { type MentionTarget, withPlainMarks } from './promptMention';

/** A part of the sent prompt; `text` is as written, with the marks that agents read. */
export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mention'; readonly text: string; readonly target: MentionTarget }
  | {
      readonly kind: 'image';
      readonly text: string;
      readonly alt: string;
      readonly path: string;
    };

/**
 * The parts of a prompt that are sent, in order: without front matter, comments and surrounding
 * blanks. Empty if nothing is left.
 */
export function promptParts(document: PromptDocument): readonly PromptPart[] {
  const parts: PromptPart[] = [];
  const cuts = document.segments.filter(isCut).map((segment) => cutSpan(document.text, segment));
  let passed = 0;
  let text = '';
  for (const segment of document.segments) {
    if (isCut(segment)) {
      passed++;
      continue;
    }
    const start = Math.max(segment.start, cuts[passed - 1]?.end ?? 0);
    const end = Math.min(segment.end, cuts[passed]?.start ?? segment.end);
    const written = document.text.slice(start, Math.max(start, end));
    if (segment.kind === 'mention' || segment.kind === 'image') {
      pushText(parts, text);
      text = '';
      parts.push(toPart(segment, written));
    } else {
      text += segment.kind === 'command' ? `/${written.slice(1)}` : written;
    }
  }
  pushText(parts, text.trimEnd());
  return parts;
}

/** The text that is sent. */
export function sentText(parts: readonly PromptPart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** The settings of a prompt; the last one wins if a key occurs twice. */
export function promptSettings({ frontMatter }: PromptDocument): ReadonlyMap<string, string> {
  return new Map(frontMatter?.entries.map(({ key, value }) => [key, value]));
}

function toPart(segment: SegmentOf<'mention'> | SegmentOf<'image'>, text: string): PromptPart {
  return segment.kind === 'mention'
    ? { kind: 'mention', text: withPlainMarks(text), target: segment.target }
    : { kind: 'image', text, alt: segment.alt, path: segment.path };
}

function pushText(parts: PromptPart[], text: string): void {
  const written = parts.length === 0 ? text.trimStart() : text;
  if (written !== '') {
    parts.push({ kind: 'text', text: written });
  }
}

function isCut({ kind }: Segment): boolean {
  return kind === 'comment' || kind === 'frontMatter';
}

/** The span to remove for a comment: its whole lines, if they contain nothing else. */
function cutSpan(text: string, { start, end }: Span): Span {
  let lineStart = start;
  while (lineStart > 0 && isBlank(text.charAt(lineStart - 1))) {
    lineStart--;
  }
  let lineEnd = end;
  while (
    lineEnd < text.length &&
    (isBlank(text.charAt(lineEnd)) || text.charAt(lineEnd) === '\r')
  ) {
    lineEnd++;
  }
  const startsLine = lineStart === 0 || text.charAt(lineStart - 1) === '\n';
  const isAlone = startsLine && (lineEnd === text.length || text.charAt(lineEnd) === '\n');
  return isAlone ? { start: lineStart, end: Math.min(lineEnd + 1, text.length) } : { start, end };
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}
