import type { VNode } from 'preact';
import type { DrawnToolContent } from '../../shared/transcript/drawn';
import { ContentBlock } from './blocks';
import { Diff } from './diff';
import { Terminal } from './terminal';

interface ToolContentProps {
  readonly content: DrawnToolContent;
  readonly item: number;
  /** Shows changes in full, because a decision about them is pending. */
  readonly whole?: boolean;
}

/** One part of a tool call's content. */
export function ToolContent({ content, item, whole = false }: ToolContentProps): VNode {
  switch (content.type) {
    case 'diff':
      return <Diff diff={content} item={item} whole={whole} />;
    case 'terminal':
      return <Terminal terminal={content} item={item} />;
    case 'block':
      return (
        <div class="tool-block">
          <ContentBlock block={content.block} part="content" item={item} />
        </div>
      );
  }
}
