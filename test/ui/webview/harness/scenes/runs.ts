import type { ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { agent, toolCall, user } from '../entries';

export const read = (name: string, more: Partial<ToolCallEntry> = {}): ToolCallEntry =>
  toolCall({
    toolCallId: name,
    title: `Read ${name}`,
    locations: [{ path: `/project/shop/src/${name}` }],
    content: [{ type: 'content', block: { type: 'text', text: `Text of ${name}` } }],
    ...more,
  });
const search = (pattern: string): ToolCallEntry =>
  toolCall({ toolCallId: pattern, title: `\`rg ${pattern}\``, toolKind: 'search' });

export const looking = [read('a.ts'), read('b.ts'), search('price'), search('total'), read('a.ts')];
export const entries = [user('Look'), ...looking, agent('Done'), read('alone.ts')];
