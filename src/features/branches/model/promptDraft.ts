import { startsTurn } from '../../../model/transcript/turnStarts';
import type { Block } from '../../../shared/transcript/content';
import type { Entry } from '../../../shared/transcript/entries';
import { parseDraft } from '../../../shared/transcript/parseDraft';
import type { Attachment, Draft } from '../../../shared/transcript/prompt';
import { decodedPart } from '../../../util/decodedPart';

/** A prompt of a transcript as a draft, to be written again. */
export interface PromptDraft {
  readonly draft: Draft;
  /** The number of its parts that a draft can't have. */
  readonly left: number;
}

/**
 * The prompt that begins with this entry, as a draft. Where its attachments come from is not checked: the entry may be
 * a replay, so a file that isn't the session's must not be sent before the user has seen it.
 */
export function getPromptDraft(entries: readonly Entry[], prompt: number): PromptDraft {
  const blocks: Block[] = [];
  for (let index = prompt; index < entries.length; index++) {
    const entry = entries[index];
    if (entry?.kind !== 'user' || (index > prompt && startsTurn(entries, index))) {
      break;
    }
    blocks.push(...entry.blocks);
  }
  let draft: Draft = { text: '', attachments: [] };
  let left = 0;
  for (const block of blocks) {
    const grown = parseDraft(withBlock(draft, block));
    left += grown === undefined ? 1 : 0;
    draft = grown ?? draft;
  }
  return { draft: { ...draft, text: draft.text.trim() }, left };
}

/** `undefined` for a block that a draft can't have. */
function withBlock({ text, attachments }: Draft, block: Block): Draft | undefined {
  if (block.type === 'text') {
    return { text: text + block.text, attachments };
  }
  const attachment = toAttachment(block);
  return attachment && { text, attachments: [...attachments, attachment] };
}

function toAttachment(block: Exclude<Block, { type: 'text' }>): Attachment | undefined {
  switch (block.type) {
    case 'image':
      return { type: 'image', name: getName(block.uri ?? ''), ...getContent(block) };
    case 'resource_link':
      return { type: 'file', uri: block.uri, name: block.name };
    case 'resource': {
      const [, uri = '', start, end] = /^(.*)#L(\d+)-L(\d+)$/s.exec(block.uri) ?? [];
      return start !== undefined && block.text !== undefined
        ? {
            type: 'selection',
            uri,
            name: getName(uri),
            startLine: Number(start),
            endLine: Number(end),
            text: block.text,
          }
        : withoutLines(block);
    }
    case 'audio':
    case 'unknown':
      return undefined;
  }
}

/** A file, or a text that is in none. */
function withoutLines({ uri, text }: Extract<Block, { type: 'resource' }>): Attachment {
  const name = getName(uri);
  return text === undefined || uri.startsWith('file:')
    ? { type: 'file', uri, name }
    : { type: 'text', uri, name, text };
}

function getContent({ mimeType, data }: { readonly mimeType: string; readonly data: string }) {
  return { mimeType, data };
}

/** The last part of a URI's path, decoded if it can be. */
function getName(uri: string): string {
  return decodedPart(/[^/\\]*$/.exec(uri)?.[0] ?? '');
}
