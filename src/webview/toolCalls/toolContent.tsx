import type { VNode } from 'preact';
import type { DrawnToolContent } from '../../shared/transcript/drawn';
import { ContentBlock } from '../content/blocks';
import { DiffView } from './diff';
import { FileChangeView } from './fileChange';
import { TerminalView } from './terminal';

interface ToolContentProps {
  readonly content: DrawnToolContent;
  readonly item: number;
  /** Shows changes in full, because a decision about them is pending. */
  readonly whole?: boolean;
}

/** A part of a tool call's content. */
export function ToolContentView({ content, item, whole = false }: ToolContentProps): VNode {
  switch (content.type) {
    case 'diff':
      return <DiffView diff={content} item={item} whole={whole} />;
    case 'fileChange':
      return <FileChangeView change={content} item={item} />;
    case 'terminal':
      return <TerminalView terminal={content} item={item} />;
    case 'block':
      return (
        <div class="tool-block">
          <ContentBlock block={content.block} part="content" item={item} />
        </div>
      );
  }
}
