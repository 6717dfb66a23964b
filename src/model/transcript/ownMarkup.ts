import type { Block } from '../../shared/transcript/content';
import type { Entry, MessageEntry } from '../../shared/transcript/entries';
import { type MarkupPart, markupIn } from '../text/agentMarkup';
import { fenced } from '../text/markdownCode';

/**
 * What a message of the user is, if its agent has written it: the end of a stopped turn, a command, its output, or
 * nothing. A message of the user's own stays as it is.
 */
export function shownPrompt(prompt: MessageEntry): Entry {
  const { blocks } = prompt;
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const parts = texts.length === blocks.length ? markupIn(texts.join('')) : undefined;
  const whole = parts && asWhole(prompt, parts);
  if (whole !== undefined) {
    return whole;
  }
  const isMarkup = blocks.map((block) => findMarkup(block) !== undefined);
  return isMarkup.includes(true)
    ? {
        ...prompt,
        blocks: blocks.flatMap(shownBlocks),
        ...(!isMarkup.includes(false) && { command: true }),
      }
    : prompt;
}

/** Whether a text has nothing for the user. */
export function isOnlyContext(text: string): boolean {
  return markupIn(text)?.every(({ type }) => type === 'context') === true;
}

/** What a message is that is only such markup; `undefined` if that is no single thing. */
function asWhole(prompt: MessageEntry, parts: readonly MarkupPart[]): Entry | undefined {
  const told = parts.filter(({ type }) => type !== 'context');
  if (told.length === 0) {
    return { ...prompt, blocks: [] };
  }
  if (told.every(({ type }) => type === 'interrupted')) {
    return { kind: 'turn', outcome: { type: 'stopped', stopReason: 'cancelled' } };
  }
  if (told.some(({ type }) => type === 'interrupted')) {
    return undefined;
  }
  const blocks = told.flatMap(asBlock);
  return told.every(({ type }) => type === 'output')
    ? { kind: 'agent', blocks }
    : { ...prompt, blocks, command: true };
}

/** The markup of one block; an interruption among other blocks is left as it is. */
function findMarkup(block: Block): readonly MarkupPart[] | undefined {
  const parts = block.type === 'text' ? markupIn(block.text) : undefined;
  return parts?.some(({ type }) => type === 'interrupted') ? undefined : parts;
}

function shownBlocks(block: Block): readonly Block[] {
  return findMarkup(block)?.flatMap(asBlock) ?? [block];
}

function asBlock(part: MarkupPart): readonly Block[] {
  switch (part.type) {
    case 'command':
      return [{ type: 'text', text: part.text }];
    case 'output':
      return [{ type: 'text', text: fenced(part.text) }];
    case 'context':
    case 'interrupted':
      return [];
  }
}
