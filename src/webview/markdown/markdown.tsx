import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { nextFrame } from '../nextFrame';
import { useFold } from '../parts/fold';
import { type MarkdownBlock, MarkdownBlocks } from './markdownBlocks';
import { countTokens, drawTokens } from './tokens';

interface MarkdownProps {
  readonly text: string;
  /** Identifies this text within its entry. */
  readonly part: string;
}

/** Maximum number of tokens: about as many as 100 KB of prose need; a text consisting of markup needs far more. */
const maxTokens = 4000;
/** Characters of a text that are shown unparsed until it is parsed. */
const shownBefore = 2000;

/** Markdown from the agent or the user. As a text grows, only the new part is parsed and drawn. */
export function Markdown({ text, part }: MarkdownProps): VNode {
  const parser = useMemo(() => new MarkdownBlocks(), []);
  const [all, toggle] = useFold(`${part}:long`, false);
  const blocks = usePaced(text, parser);
  if (!blocks) {
    return <div class="markdown">{text.slice(0, shownBefore)}</div>;
  }
  const drawn: VNode[] = [];
  let left = all ? Number.POSITIVE_INFINITY : maxTokens;
  for (const block of blocks) {
    if (left <= 0) {
      break;
    }
    const cost = countTokens(block.tokens);
    const most = cost <= left ? cost : left;
    drawn.push(<Block key={block.key} block={block} part={`${part}.${block.key}`} most={most} />);
    left -= cost;
  }
  return (
    <div class="markdown">
      {drawn}
      {(left < 0 || drawn.length < blocks.length) && (
        <button type="button" class="more" onClick={toggle}>
          {l10n.t('Show the rest of this text')}
        </button>
      )}
    </div>
  );
}

/** Minimum time between two parses of a growing text, as a multiple of the last parse's duration. */
const pause = 10;
/** Parses up to this duration aren't throttled, in milliseconds. */
const unnoticed = 2;

/**
 * The blocks of a growing text. A block that never ends is parsed from its start each time, so the
 * longer a parse takes, the less often it runs. `undefined` for a new text while other texts have
 * used up the time until the next frame.
 */
function usePaced(text: string, parser: MarkdownBlocks): readonly MarkdownBlock[] | undefined {
  const [drawing, redraw] = useState({});
  const last = useRef<{ text: string; due: number; blocks: readonly MarkdownBlock[] }>(undefined);
  const now = performance.now();
  const early = last.current !== undefined && now < last.current.due;
  useEffect(() => {
    if (last.current?.text === text) {
      return;
    }
    const due = last.current?.due ?? 0;
    // One millisecond extra: timers are less precise than `performance.now()`.
    const timer = setTimeout(() => redraw({}), Math.max(0, due - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [text, drawing]);
  if (last.current && early && text.startsWith(last.current.text)) {
    return last.current.blocks;
  }
  if (!hasBudget()) {
    return last.current?.blocks;
  }
  const blocks = parser.update(text);
  const cost = performance.now() - now;
  spend(cost);
  last.current = { text, due: now + (cost > unnoticed ? cost * pause : 0), blocks };
  return blocks;
}

interface BlockProps {
  readonly block: MarkdownBlock;
  readonly part: string;
  /** Maximum number of tokens to draw. */
  readonly most: number;
}

/** Re-renders only when the parser has produced a new block. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps): boolean {
    return next.block !== this.props.block || next.most !== this.props.most;
  }

  override render({ block, part, most }: BlockProps): ComponentChildren {
    return drawTokens(block.tokens, part, most);
  }
}

/** Total time that all texts of the page may be parsed before the next frame, in milliseconds. */
const maxParseMs = 300;
// Shared by all texts of the page.
let spent = 0;
let isWaiting = false;

/**
 * Whether another text may be parsed before the next frame; the caller then reports the time to
 * `spend`.
 */
function hasBudget(): boolean {
  return spent < maxParseMs;
}

/** Adds to the time spent, which is reset after the next frame. */
function spend(milliseconds: number): void {
  spent += milliseconds;
  if (!isWaiting) {
    isWaiting = true;
    nextFrame(() => {
      // After the frame, which the next text's parsing would otherwise delay.
      setTimeout(() => {
        spent = 0;
        isWaiting = false;
      });
    });
  }
}
