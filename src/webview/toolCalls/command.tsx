import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import type { DrawnText } from '../../shared/transcript/drawn';
import { MoreText } from '../code/moreText';

/** The command of the enclosing entry, word for word. */
export function Command({ command }: { readonly command: DrawnText }): VNode {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: all of it has to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{literal(command.text)}</code>
      </pre>
      <MoreText omitted={command.omitted} part="command" item={0} />
    </div>
  );
}
