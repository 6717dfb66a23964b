import type { Block } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isPrintedIn } from './toolResults';
import { withoutFence } from './unshownRaw';

/** What a command has printed, if its agent sends it as text: it is shown as if it were that of a terminal. */
export function commandOutput(block: Block, entry: ToolCallEntry): string | undefined {
  if (block.type !== 'text') {
    return undefined;
  }
  const text = withoutFence(block.text);
  const isOutput = entry.toolKind === 'execute' || text.includes('\u001b[');
  return isOutput && isPrintedIn(entry, text) ? text : undefined;
}
