import { createHash } from 'node:crypto';
import type { Block } from '../../../shared/transcript/content';
import type { Entry, MessageEntry } from '../../../shared/transcript/entries';
import type { NotedPrompt } from './notedTurn';
import { maxIds, messageDigest } from './notedTurn';

/** UTF-16 units without white space from which on a reply can be told from others, such as “Done.”. */
const shortestReply = 20;

/** What is left of white space depends on the agent: some cut, join or indent what they replay. */
export function plainText(blocks: readonly Block[]): string {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return text.replace(/\s+/g, '');
}

function computeDigest(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

export function notedPrompt(blocks: readonly Block[]): NotedPrompt {
  const text = plainText(blocks);
  const hasMore = blocks.some(({ type }) => type !== 'text');
  return { digest: computeDigest(text), length: text.length, ...(hasMore && { hasMore: true }) };
}

/** Tells a message from the others of its turn, however its agent cuts or indents it the next time. */
export function digestOf({ blocks }: MessageEntry): string {
  return computeDigest(plainText(blocks)).slice(0, messageDigest);
}

/** Whether a prompt may be the noted one; agents replay attachments as text behind it. */
export function isPrompt({ digest, length, hasMore }: NotedPrompt, text: string): boolean {
  const isLong = text.length === length || (hasMore === true && text.length > length);
  return isLong && computeDigest(text.slice(0, length)) === digest;
}

/** What tells a turn from others: its ids, and the digest of the agent's first message. */
export function evidenceIn(entries: readonly Entry[], from: number, to: number) {
  const ids = new Set<string>();
  let reply: string | undefined;
  for (let index = from; index < to; index++) {
    const entry = entries[index];
    const id = entry && findId(entry);
    if (id !== undefined && ids.size < maxIds) {
      ids.add(id);
    }
    if (reply === undefined && entry?.kind === 'agent') {
      const text = plainText(entry.blocks);
      reply = text === '' ? undefined : text;
    }
  }
  const isLong = reply !== undefined && reply.length >= shortestReply;
  return { ids: [...ids], ...(isLong && { reply: computeDigest(reply ?? '') }) };
}

function findId(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'toolCall':
      return entry.toolCallId;
    case 'agent':
      return entry.messageId;
    default:
      return undefined;
  }
}
