import { maxText } from '../../protocol/bounds';
import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type {
  Entry,
  MessageEntry,
  MessageKind,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { markupIn } from '../text/agentMarkup';
import type { EntryList } from './entryList';
import { shownPrompt } from './ownMarkup';
import { isWholeElement, mayHaveAttachments, promptBlocksIn, withAttached } from './promptMarkup';

export type MessageChunk = Extract<
  SessionUpdate,
  { sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk' }
>;

/** A message as a whole. */
export type WholeMessage = Extract<
  SessionUpdate,
  { sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought' }
>;

/** How many entries back a message may continue while others are being written too (T-23). */
const openMessages = 8;
/** A message with more blocks continues in a new entry, which bounds the cost of a chunk. */
const maxBlocks = 256;

/**
 * Whether an entry takes no more content: it has the most blocks, or its last text has the maximum
 * length.
 */
export function isFull(blocks: readonly Block[]): boolean {
  const last = blocks.at(-1);
  return blocks.length >= maxBlocks || (last?.type === 'text' && last.text.length >= maxText);
}

/** A chunk continues its message or begins a new one (MSG-1 to MSG-5). */
export function reduceMessage(
  list: EntryList,
  kind: MessageKind,
  { content, messageId, idIsUnique }: MessageChunk,
): TranscriptChange | undefined {
  if (isEmptyText(content)) {
    return undefined;
  }
  if (idIsUnique && messageId !== undefined) {
    return grow(list, kind, messageId, content);
  }
  const index = findOpenIndex(list, kind, messageId);
  const open = list.writtenAt(index);
  if (open !== undefined && isMessage(open) && goesOn(list, index, open.blocks, content)) {
    const blocks = withContent(
      kind,
      open.blocks,
      content,
      notePromptPiece(list, kind, index, content),
    );
    put(list, index, message(kind, open.messageId, blocks, open.seen));
    return { type: 'updated', index };
  }
  return append(list, message(kind, messageId, withContent(kind, [], content), list.now));
}

/** Adds a message as its agent has sent it. */
function append(list: EntryList, written: MessageEntry): TranscriptChange {
  const added = list.push(written);
  if (written.kind === 'user') {
    notePiece(list, added, written.blocks.at(-1));
    put(list, added, written);
  }
  return { type: 'appended', from: added, to: added + 1 };
}

/** Replaces a message by one as its agent has sent it; the entry shows what that means. */
function put(list: EntryList, index: number, written: MessageEntry): void {
  const shown = written.kind === 'user' ? shownPrompt(written) : written;
  if (shown === written) {
    list.written.delete(index);
  } else {
    list.written.set(index, written);
  }
  list.replace(index, shown);
}

/** Whether content may be added to a message: it has room, and isn't something else than what the agent writes for itself. */
function goesOn(list: EntryList, index: number, blocks: readonly Block[], content: Block): boolean {
  return (
    !isFull(blocks) && !(list.written.has(index) && isAfterMarkup(list, index, blocks, content))
  );
}

/** Whether all of a message is markup of the agent's, and this doesn't continue its text. */
function isAfterMarkup(
  list: EntryList,
  index: number,
  blocks: readonly Block[],
  content: Block,
): boolean {
  const last = blocks.at(-1);
  const isPiece = list.piece?.index === index && list.piece.isStream;
  const isContinued =
    content.type === 'text' &&
    last?.type === 'text' &&
    (isPiece || /^[\s<]/.test(content.text) || /\s$/.test(last.text.slice(-1)));
  return !isContinued && isAllMarkup(list.at(index));
}

/** Whether nothing of this message is of the user's own. */
function isAllMarkup(shown: Entry | undefined): boolean {
  return shown?.kind !== 'user' || shown.command === true || shown.blocks.length === 0;
}

/**
 * The content replaces all that the message had (V2-MSG-3), and makes what chunks with its blocks would make. If the
 * message had filled several entries, those that aren't needed any more stay empty.
 */
export function reduceWhole(
  list: EntryList,
  kind: MessageKind,
  { messageId, content }: WholeMessage,
): readonly TranscriptChange[] {
  const parts = list.messages[kind].get(messageId);
  if (content === undefined || (parts === undefined && content.every(isEmptyText))) {
    return [];
  }
  const before = [...(parts?.indexes ?? [])];
  const end = list.length;
  for (const index of before) {
    setBlocks(list, index, []);
  }
  if (parts !== undefined) {
    parts.open = 0;
  }
  for (const block of content.filter((each) => !isEmptyText(each))) {
    grow(list, kind, messageId, block, true);
  }
  // Otherwise each replacement would have to look at all of them again.
  parts?.indexes.splice(parts.open + 1);
  const updated = before.map((index) => ({ type: 'updated', index }) as const);
  return list.length === end
    ? updated
    : [...updated, { type: 'appended', from: end, to: list.length }];
}

/** Adds to the message with this id, wherever it is (V2-MSG-2). */
function grow(
  list: EntryList,
  kind: MessageKind,
  messageId: string,
  content: Block,
  isWhole = false,
): TranscriptChange {
  const parts = list.messages[kind].get(messageId);
  let index = parts?.indexes[parts.open];
  if (
    parts !== undefined &&
    index !== undefined &&
    !goesOn(list, index, blocksAt(list, index), content)
  ) {
    index = parts.indexes[++parts.open];
  }
  if (index === undefined) {
    const blocks = withContent(kind, [], content);
    const change = append(list, message(kind, messageId, blocks, list.now));
    const added = list.length - 1;
    if (parts === undefined) {
      list.messages[kind].set(messageId, { indexes: [added], open: 0 });
    } else {
      parts.indexes.push(added);
    }
    return change;
  }
  const piece = isWhole ? undefined : notePromptPiece(list, kind, index, content);
  setBlocks(list, index, withContent(kind, blocksAt(list, index), content, piece));
  return { type: 'updated', index };
}

/** Agents send these only to carry `_meta`. */
function isEmptyText(block: Block): boolean {
  return block.type === 'text' && block.text === '';
}

function blocksAt(list: EntryList, index: number): readonly Block[] {
  const entry = list.writtenAt(index);
  return entry !== undefined && isMessage(entry) ? entry.blocks : [];
}

function setBlocks(list: EntryList, index: number, blocks: readonly Block[]): void {
  const entry = list.writtenAt(index);
  if (entry !== undefined && isMessage(entry)) {
    put(list, index, { ...entry, blocks });
  }
}

function withContent(
  kind: MessageKind,
  blocks: readonly Block[],
  content: Block,
  piece?: Piece,
): readonly Block[] {
  if (kind === 'user') {
    return goOn(piece?.isOneText && blocks.length > 1 ? joined(blocks) : blocks, content, piece);
  }
  return appendBlock(blocks, kind === 'thought' ? apart(blocks, content) : content);
}

/** A line in bold at the beginning of a chunk: some agents give each thought this heading. */
const heading = /^\*\*[^*\n]{1,200}\*\*\n/;

/**
 * Starts a paragraph for a thought with a heading: Gemini sends whole thoughts with nothing between
 * them.
 */
function apart(blocks: readonly Block[], content: Block): Block {
  const last = blocks.at(-1);
  // The end of the text comes last: looking at it copies a text that has grown in pieces.
  return content.type === 'text' &&
    last?.type === 'text' &&
    heading.test(content.text) &&
    !last.text.endsWith('\n')
    ? { type: 'text', text: `\n\n${content.text}` }
    : content;
}

/** The blocks of a prompt with one more chunk, whose text may stand for attachments. */
function goOn(blocks: readonly Block[], content: Block, piece?: Piece): readonly Block[] {
  if (content.type === 'text' && !mayHaveAttachments(content.text)) {
    return isBlockOfItsOwn(blocks, content.text, piece)
      ? [...blocks, content]
      : appendBlock(blocks, content);
  }
  const added = content.type === 'text' ? promptBlocksIn(content.text) : [content];
  return added.reduce(
    (all, block) => (block.type === 'text' ? appendBlock(all, block) : withAttached(all, block)),
    blocks,
  );
}

/** The chunk before the one that is added. */
type Piece = NonNullable<EntryList['piece']>;

/** Notes a chunk of a prompt, and returns what was noted; `undefined` for other messages. */
function notePromptPiece(
  list: EntryList,
  kind: MessageKind,
  index: number,
  content: Block,
): Piece | undefined {
  const before = list.piece?.index === index ? list.piece : undefined;
  if (kind !== 'user') {
    return undefined;
  }
  notePiece(list, index, content, before);
  return list.piece;
}

/**
 * Pieces of a stream have one length; blocks of a prompt begin like a sentence, or each has its own.
 * Pieces of other lengths are one text where a line continues, or words are cut more than once.
 */
function notePiece(
  list: EntryList,
  index: number,
  content: Block | undefined,
  before?: Piece,
): void {
  const text = content?.type === 'text' ? content.text : '';
  const end = before?.end ?? '';
  const isAlike = before !== undefined && before.length === text.length && !/^\p{Lu}/u.test(text);
  const isCut = /[\p{L}\p{N}]$/u.test(end) && /^[\p{Ll}\p{N}]/u.test(text);
  const cuts = isCut ? (before?.cuts ?? 0) + 1 : 0;
  const isStream = before?.isStream === true || isAlike;
  const isOneText = isStream || before?.isOneText === true || cuts > 1 || goesOnInLine(end, text);
  list.piece = { index, length: text.length, isStream, isOneText, cuts, end: text.slice(-2) };
}

/** Whether a text has the space or the punctuation with it that connects it with the one before. */
function goesOnInLine(end: string, text: string): boolean {
  return (
    end !== '' && (/\S $/.test(end) || /^ \S/.test(text) || /^(?:[,;:!?)\]}’”»]|\.\w)/.test(text))
  );
}

/** The blocks of a prompt that turns out to come in pieces: texts that were taken for blocks are one. */
function joined(blocks: readonly Block[]): readonly Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (last?.type === 'text' && block.type === 'text' && !isApart(last.text, block.text)) {
      all[all.length - 1] = { type: 'text', text: last.text + block.text };
    } else {
      all.push(block);
    }
  }
  return all;
}

/** Whether two texts stay apart, even in a stream. */
function isApart(before: string, text: string): boolean {
  return [before, text].some((each) => isWholeElement(each) || markupIn(each) !== undefined);
}

/**
 * Whether a prompt's text is a separate block rather than a continuation: agents replay each block
 * of a prompt as one chunk and don't mark its end. A piece of a stream never is, and never follows,
 * a whole element of several lines.
 */
function isBlockOfItsOwn(blocks: readonly Block[], text: string, piece?: Piece): boolean {
  const last = blocks.at(-1);
  return (
    last?.type === 'text' &&
    !/\s$/.test(last.text.slice(-1)) &&
    !/^\s/.test(text) &&
    (piece?.isOneText !== true || isWholeElement(text) || isWholeElement(last.text))
  );
}

// No object spread: this runs for every chunk.
function message(
  kind: MessageKind,
  messageId: string | undefined,
  blocks: readonly Block[],
  seen: number | undefined,
): MessageEntry {
  if (seen !== undefined) {
    return messageId === undefined ? { kind, blocks, seen } : { kind, messageId, blocks, seen };
  }
  return messageId === undefined ? { kind, blocks } : { kind, messageId, blocks };
}

/** The blocks with one more; adjacent texts are joined. */
export function appendBlock(blocks: readonly Block[], block: Block): readonly Block[] {
  const last = blocks.at(-1);
  if (last?.type !== 'text' || block.type !== 'text') {
    // A literal with a spread would keep room for 16 more; `concat` is slow for most messages' only block.
    return blocks.length === 0 ? [block] : blocks.concat(block);
  }
  const grown: Block = { type: 'text', text: last.text + block.text };
  return blocks.length === 1 ? [grown] : blocks.with(-1, grown);
}

/**
 * Index of the message that a chunk belongs to, or -1. Without an id: the last entry, if it has
 * this kind (MSG-3). With an id: the message with this kind and id (MSG-5) among the last few
 * messages of the turn; text before a tool call stays there, even if the agent reuses the id
 * afterward.
 */
function findOpenIndex(list: EntryList, kind: MessageKind, messageId: string | undefined): number {
  const last = list.length - 1;
  for (let index = last; index >= 0 && last - index < openMessages; index--) {
    const entry = list.writtenAt(index);
    if (entry === undefined || !isMessage(entry) || index === list.sent) {
      return -1;
    }
    if (entry.steering !== undefined) {
      if (messageId === undefined) {
        return -1;
      }
      // The agent may have been writing when the user sent this into the turn.
      continue;
    }
    if (entry.kind === kind && (messageId === undefined || entry.messageId === messageId)) {
      return index;
    }
    if (messageId === undefined || entry.kind === 'user') {
      return -1;
    }
  }
  return -1;
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'user' || entry.kind === 'agent' || entry.kind === 'thought';
}
