import type { VNode } from 'preact';
import type { DrawnToolContent } from '../../shared/transcript/drawn';
import { ContentBlock } from './blocks';
import { Diff } from './diff';
import { Terminal } from './terminal';

interface ToolContentProps {
  readonly content: DrawnToolContent;
  readonly item: number;
  /** Shows all of a change, as one decides about it. */
  readonly whole?: boolean;
}

/** One part of what a tool call changed or printed. */
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
