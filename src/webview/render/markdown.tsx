import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type MarkdownBlock, MarkdownBlocks } from '../markdown/blocks';
import { hasParsed, mayParse } from '../markdown/turns';
import { useFold } from './fold';
import { countTokens, drawTokens } from './tokens';

interface MarkdownProps {
  readonly text: string;
  /** Names this text within its entry. */
  readonly part: string;
}

/** About as many elements as a hundred kilobytes of prose need; a text of nothing but marks needs far more. */
const mostTokens = 4000;
/** Characters of a text that stand there as they are until it is its turn to be parsed. */
const shownBefore = 2000;

/** Markdown of an agent or a person. As the text grows, only what is new is parsed and drawn. */
export function Markdown({ text, part }: MarkdownProps): VNode {
  const parser = useMemo(() => new MarkdownBlocks(), []);
  const [all, toggle] = useFold(`${part}:long`, false);
  const blocks = usePaced(text, parser);
  if (!blocks) {
    return <div class="markdown">{text.slice(0, shownBefore)}</div>;
  }
  const drawn: VNode[] = [];
  let left = all ? Number.POSITIVE_INFINITY : mostTokens;
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

/** Time between two parses of a growing text, in lengths of the last one. */
const pause = 10;
/** Shorter parses don't count, in milliseconds. */
const unnoticed = 2;

/**
 * The blocks of a text that grows. One block that never ends has to be parsed from its beginning each
 * time, so the longer that takes, the less often it is done. Nothing while other texts have used up the time
 * until the page draws again.
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
    // A millisecond later than needed: a timer's clock is coarser than this one.
    const timer = setTimeout(() => redraw({}), Math.max(0, due - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [text, drawing]);
  if (last.current && early && text.startsWith(last.current.text)) {
    return last.current.blocks;
  }
  if (!mayParse()) {
    return last.current?.blocks;
  }
  const blocks = parser.update(text);
  const cost = performance.now() - now;
  hasParsed(cost);
  last.current = { text, due: now + (cost > unnoticed ? cost * pause : 0), blocks };
  return blocks;
}

interface BlockProps {
  readonly block: MarkdownBlock;
  readonly part: string;
  /** Tokens to draw of it. */
  readonly most: number;
}

/** Drawn again only when the parser made a new block of it. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps): boolean {
    return next.block !== this.props.block || next.most !== this.props.most;
  }

  override render({ block, part, most }: BlockProps): ComponentChildren {
    return drawTokens(block.tokens, part, most);
  }
}
