import * as l10n from '@vscode/l10n';
import { boundedText } from '../../protocol/bounds';
import type { Block } from '../../shared/transcript/content';
import type { Entry, PlanEntry, ToolCallEntry } from '../../shared/transcript/entries';
import { measureWeight } from '../../util/weight';

/** UTF-16 units that an entry keeps of each of its texts when its bulk is dropped. */
const keptText = 1_000;
/** Blocks or plan items that an entry keeps. */
const keptItems = 10;

const leftOut = {
  type: 'text',
  text: l10n.t(
    '… Left out because the transcript became too large. Reopen the session to load it again.',
  ),
} as const;

/** The entry without its bulky content, and with a note in its place. */
export function withoutBulk(entry: Entry): Entry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return { ...entry, blocks: lightBlocks(entry.blocks) };
    case 'compaction':
      return { ...entry, summary: lightBlocks(entry.summary) };
    case 'toolCall':
      return lightCall(entry);
    case 'permission':
      return entry.state.kind === 'waiting'
        ? entry
        : { ...entry, toolCall: lightCall(entry.toolCall) };
    case 'plan':
      return measureWeight(entry) > keptItems * keptText ? lightPlan(entry) : entry;
    case 'unknown':
      return { ...entry, raw: boundedText(entry.raw, keptText) };
    case 'elicitation':
    case 'subagent':
    case 'turn':
      return entry;
  }
}

function lightBlocks(blocks: readonly Block[]): readonly Block[] {
  const light = blocks.slice(0, keptItems).map((block): Block => {
    if (block.type === 'text') {
      return { type: 'text', text: boundedText(block.text, keptText) };
    }
    return measureWeight(block) > keptText ? leftOut : block;
  });
  return blocks.length > keptItems ? [...light, leftOut] : light;
}

function lightPlan(plan: PlanEntry): PlanEntry {
  const { items, blocks } = plan;
  const light = items
    .slice(0, keptItems)
    .map((item) => ({ ...item, content: boundedText(item.content, keptText) }));
  const rest = { content: leftOut.text, priority: 'medium', status: 'pending' } as const;
  return {
    ...plan,
    items: items.length > 0 ? [...light, rest] : [],
    ...(blocks !== undefined && { blocks: lightBlocks(blocks) }),
  };
}

function lightCall(call: ToolCallEntry): ToolCallEntry {
  const { content, locations, rawInput, rawOutput, terminalOutput, ...rest } = call;
  if (measureWeight([content, locations, rawInput, rawOutput, terminalOutput]) <= keptText) {
    return call;
  }
  const terminals = content.filter(({ type }) => type === 'terminal');
  const isInputShort = rawInput !== undefined && measureWeight(rawInput) <= keptText;
  return {
    ...rest,
    locations: measureWeight(locations) > keptText ? [] : locations,
    content: [...terminals.slice(0, 1), { type: 'content', block: leftOut }],
    ...(isInputShort && { rawInput }),
  };
}
