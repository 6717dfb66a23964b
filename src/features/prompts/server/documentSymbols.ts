import {
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  SymbolKind,
} from 'vscode-languageserver/node';
import { getSegments, type Heading, type Span } from '../../../shared/prompt/promptDocument';
import type { Prompt } from './openPrompts';
import { oneLine } from './plainText';

const maxNameLength = 200;

/** The headings as a tree, each with the range of its section. */
export function getSymbols({ content, document }: Prompt): readonly DocumentSymbol[] {
  const top: DocumentSymbol[] = [];
  const open: { readonly level: number; readonly children: DocumentSymbol[] }[] = [];
  const ends = sectionEnds(content.headings, content.text.length);
  for (const [index, heading] of content.headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) {
      open.pop();
    }
    const children: DocumentSymbol[] = [];
    const start = document.positionAt(heading.start);
    (open.at(-1)?.children ?? top).push({
      // A symbol's name must not be empty.
      name: oneLine(heading.title, maxNameLength) || '#'.repeat(heading.level),
      kind: SymbolKind.String,
      range: { start, end: document.positionAt(ends[index] ?? heading.end) },
      selectionRange: { start, end: document.positionAt(heading.end) },
      children,
    });
    open.push({ level: heading.level, children });
  }
  return top;
}

/** Folding ranges: settings, comments, fenced code and the section of each heading. */
export function getFolds({ content, document }: Prompt): readonly FoldingRange[] {
  const { headings, fences, frontMatter, text } = content;
  const ends = sectionEnds(headings, text.length);
  const sections = headings.map(({ start }, index) => ({ start, end: ends[index] ?? start }));
  const settings = frontMatter ? [{ start: 0, end: frontMatter.end }] : [];
  const fold = (span: Span, kind: FoldingRangeKind | undefined): readonly FoldingRange[] => {
    const written = text.slice(span.start, span.end).trimEnd().length;
    const startLine = document.positionAt(span.start).line;
    const endLine = document.positionAt(span.start + written).line;
    return endLine > startLine ? [{ startLine, endLine, ...(kind && { kind }) }] : [];
  };
  return [
    ...settings.flatMap((span) => fold(span, undefined)),
    ...getSegments(content, 'comment').flatMap((span) => fold(span, FoldingRangeKind.Comment)),
    ...fences.flatMap((span) => fold(span, undefined)),
    ...sections.flatMap((span) => fold(span, FoldingRangeKind.Region)),
  ];
}

/** The end of each heading's section: before the next heading of the same or a higher level. */
function sectionEnds(headings: readonly Heading[], length: number): readonly number[] {
  const ends = headings.map(() => length);
  const open: number[] = [];
  for (const [index, { level, start }] of headings.entries()) {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if ((headings[last]?.level ?? 0) < level) {
        break;
      }
      ends[last] = Math.max(0, start - 1);
      open.pop();
    }
    open.push(index);
  }
  return ends;
}
