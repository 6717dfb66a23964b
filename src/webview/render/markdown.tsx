import { Component, type ComponentChildren, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type MarkdownBlock, MarkdownBlocks } from '../markdown/blocks';
import { useFold } from './fold';
import { countTokens, drawTokens } from './tokens';

interface MarkdownProps {
  readonly text: string;
  /** Names this text within its entry. */
  readonly part: string;
}

/** About as many elements as a hundred kilobytes of prose need; a text of nothing but marks needs far more. */
const mostTokens = 4000;

/** Markdown of an agent or a person. As the text grows, only what is new is parsed and drawn. */
export function Markdown({ text, part }: MarkdownProps): VNode {
  const parser = useMemo(() => new MarkdownBlocks(), []);
  const [all, toggle] = useFold(`${part}:long`, false);
  const blocks = parser.update(text);
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
          Show the rest of this text
        </button>
      )}
    </div>
  );
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
