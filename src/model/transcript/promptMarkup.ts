import type { Block } from '../../shared/transcript/content';
import { ownPart } from '../../util/textParts';

/**
 * How Claude and Codex write the attachments of a prompt that they replay: `[@name](file://…)` for
 * a file, `<context ref="file://…">…</context>` for its text, `[@image](data:…)` for an image.
 */
const opening =
  /\[@([^\]\n]{1,500})\]\((?:(file:\/\/[^\s)]{1,4000})|data:(image\/[\w.+-]{1,40});base64,([A-Za-z0-9+/=]+))\)|<context ref="(file:\/\/[^"\n]{1,4000})">\n?/g;
const closing = '</context>';

/** A cheap check whether `promptBlocksIn` is worthwhile. */
export function mayHaveAttachments(text: string): boolean {
  return text.includes('[@') || text.includes('<context ref=');
}

/** The blocks of a replayed prompt: text that stands for an attachment becomes one again. */
export function promptBlocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const own = (part: string): string => ownPart(part, text);
  let from = 0;
  const lastClosing = text.lastIndexOf(closing);
  for (const match of text.matchAll(opening)) {
    const { index } = match;
    const [whole, name = '', file, mimeType, data, context] = match;
    if (index < from || (context !== undefined && index > lastClosing)) {
      continue;
    }
    addText(blocks, own(text.slice(from, index)));
    from = index + whole.length;
    if (file !== undefined) {
      blocks.push({ type: 'resource_link', uri: own(file), name: own(name) });
    } else if (mimeType !== undefined && data !== undefined) {
      blocks.push({ type: 'image', mimeType: own(mimeType), data: own(data) });
    } else if (context !== undefined) {
      const end = text.indexOf(closing, from);
      const content = own(text.slice(from, end));
      blocks.push({ type: 'resource', uri: own(context), text: content });
      from = end + closing.length;
    }
  }
  addText(blocks, own(text.slice(from)));
  return blocks.length === 0 ? [{ type: 'text', text }] : blocks;
}

/**
 * Whether a text of several lines is a single element: enclosed by a tag and its end tag, or by
 * fences.
 */
export function isWholeElement(text: string): boolean {
  const [, tag, fence] = /^(?:<([a-z][\w-]{0,60})[\s>]|(`{3,20}|~{3,20}))/i.exec(text) ?? [];
  const end = tag === undefined ? fence : `</${tag}>`;
  return end !== undefined && text.includes('\n') && text.trimEnd().endsWith(end);
}

/** Adds a block; the text of a file replaces the link to the file. */
export function withAttached(blocks: readonly Block[], block: Block): readonly Block[] {
  const named =
    block.type === 'resource'
      ? blocks.findLastIndex((other) => other.type === 'resource_link' && other.uri === block.uri)
      : -1;
  return named === -1 ? [...blocks, block] : blocks.with(named, block);
}

function addText(blocks: Block[], text: string): void {
  if (text.trim() !== '') {
    blocks.push({ type: 'text', text });
  }
}
