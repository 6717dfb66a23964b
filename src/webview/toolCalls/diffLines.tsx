import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { literal } from '../../shared/literal';
import type { DrawnDiff, DrawnDiffLine } from '../../shared/transcript/drawn';
import { getLines } from '../highlight/highlightedLines';
import type { HighlightNode } from '../highlight/highlightJob';
import { languageNamed } from '../highlight/languages';
import { useHighlight } from '../highlight/useHighlight';
import { changedWords, type WordSpan } from './diffWords';
import { getEnding } from './getEnding';

interface DiffLinesProps {
  readonly diff: DrawnDiff;
  /** Whether a decision about the change is pending: then invisible characters are made visible. */
  readonly whole: boolean;
}

const marks = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;
const spoken = {
  same: '',
  added: l10n.t('Added: '),
  removed: l10n.t('Removed: '),
  gap: l10n.t('Lines omitted'),
} as const;

/**
 * The lines of a change: numbered where the numbers are known, highlighted, and with the changed
 * words marked.
 */
export function DiffLines({ diff, whole }: DiffLinesProps): VNode {
  // Each side needs a different element to observe its visibility.
  const around = useRef<HTMLPreElement>(null);
  const inner = useRef<HTMLElement>(null);
  const lines = useMemo(
    () =>
      whole ? diff.lines.map(({ type, text }) => ({ type, text: literal(text) })) : diff.lines,
    [diff.lines, whole],
  );
  const words = useMemo(() => changedWords(lines), [lines]);
  const numbers = useMemo(() => findNumbers(diff), [diff]);
  const before = useSide(lines, 'removed', diff.path, inner);
  const after = useSide(lines, 'added', diff.path, around);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard
    <pre class="diff-lines" tabIndex={0} ref={around}>
      <code ref={inner}>
        {lines.map(({ type, text }, at) => (
          <div key={at} class={`diff-line diff-line-${type}`}>
            {numbers && <Numbers numbers={numbers[at]} />}
            <span class="diff-mark" aria-hidden="true">
              {marks[type]}
            </span>
            {spoken[type] && <span class="sr-only">{spoken[type]}</span>}
            {drawLine(text, (type === 'removed' ? before : after)?.get(at), words.get(at) ?? [])}
            {'\n'}
          </div>
        ))}
      </code>
    </pre>
  );
}

type LineNumbers = NonNullable<DrawnDiff['numbers']>[number];

/** Drawn by CSS, so that numbers are neither found nor copied with the lines. */
function Numbers({ numbers = {} }: { readonly numbers: LineNumbers | undefined }): VNode {
  return (
    <>
      <span class="diff-number diff-number-old" data-number={numbers.old} />
      <span class="diff-number" data-number={numbers.new} />
    </>
  );
}

/** Line numbers per line: removed lines have none in the new file, added lines none in the old one. */
function findNumbers({ lines, numbers }: DrawnDiff): readonly LineNumbers[] | undefined {
  if (!numbers) {
    return undefined;
  }
  let stretch = 0;
  let next = numbers[0] ?? {};
  return lines.map(({ type }) => {
    if (type === 'gap') {
      next = numbers[++stretch] ?? {};
      return {};
    }
    const { old, new: now } = next;
    const line = {
      ...(old !== undefined && type !== 'added' && { old }),
      ...(now !== undefined && type !== 'removed' && { new: now }),
    };
    next = {
      ...(old !== undefined && { old: type === 'added' ? old : old + 1 }),
      ...(now !== undefined && { new: type === 'removed' ? now : now + 1 }),
    };
    return line;
  });
}

type Coloured = ReadonlyMap<number, readonly HighlightNode[]>;

/**
 * Highlighting of the text before or after the change, by line index; the `added` side includes
 * unchanged lines.
 */
function useSide(
  lines: readonly DrawnDiffLine[],
  changed: 'added' | 'removed',
  path: string,
  place: { readonly current: Element | null },
): Coloured | undefined {
  const side = useMemo(() => {
    const places = [...lines.keys()].filter((at) => {
      const type = lines[at]?.type;
      return type === 'same' || type === changed;
    });
    const hasChanged = places.some((at) => lines[at]?.type === changed);
    const isNeeded = changed === 'added' || hasChanged;
    return { places, code: isNeeded ? places.map((at) => lines[at]?.text ?? '').join('\n') : '' };
  }, [lines, changed]);
  const language = side.code === '' ? undefined : languageNamed(getEnding(path));
  const found = useHighlight(side.code, language, place);
  return useMemo(() => {
    const coloured = found?.code === side.code ? getLines(found.nodes) : undefined;
    return coloured && new Map(side.places.map((at, line) => [at, coloured[line] ?? []] as const));
  }, [found?.nodes, found?.code, side]);
}

/** Draws a line with its highlighting and its changed words. */
function drawLine(
  text: string,
  nodes: readonly HighlightNode[] | undefined,
  words: readonly WordSpan[],
): ComponentChildren {
  return nodes || words.length > 0
    ? drawNodes(nodes ?? [{ type: 'text', value: text }], words, { offset: 0 })
    : text;
}

function drawNodes(
  nodes: readonly HighlightNode[],
  words: readonly WordSpan[],
  place: { offset: number },
): ComponentChildren[] {
  return nodes.map((node) => {
    if (node.type === 'scope') {
      return <span class={node.scope}>{drawNodes(node.children, words, place)}</span>;
    }
    const start = place.offset;
    place.offset += node.value.length;
    return words.length > 0 ? drawWords(node.value, start, words) : node.value;
  });
}

/** Draws a piece of a line that starts at the offset `start`. */
function drawWords(text: string, start: number, words: readonly WordSpan[]): ComponentChildren[] {
  const pieces: ComponentChildren[] = [];
  let at = 0;
  for (const word of words) {
    const from = Math.max(word.start - start, at);
    const to = Math.min(word.end - start, text.length);
    if (from < to) {
      pieces.push(text.slice(at, from), <span class="diff-word">{text.slice(from, to)}</span>);
      at = to;
    }
  }
  pieces.push(text.slice(at));
  return pieces;
}
