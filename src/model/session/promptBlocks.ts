import type { AgentCapabilities } from '../../protocol/agentConnection';
import type { Block } from '../../shared/transcript/content';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import { UnsentAttachment } from '../failures/unsentAttachment';
import { pathOfAttached } from '../files/fileUri';

/** Reads a file; `undefined` when it can't be read as text. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Maximum length, in UTF-16 units: a longer file is sent as a link, not as its content. */
const maxResourceLength = 200_000;

/**
 * Converts a draft to content blocks that the agent supports (PR-2 to PR-4, CO-2, CO-4, CO-5): the
 * text, then the attachments in order. Never empty.
 */
export async function promptBlocks(
  { text, attachments }: Draft,
  capabilities: AgentCapabilities,
  read: ReadText,
): Promise<readonly Block[]> {
  const blocks: Block[] = text === '' ? [] : [{ type: 'text', text }];
  for (const attachment of attachments) {
    const block = await findBlock(attachment, capabilities, read).catch((error: unknown) => {
      throw new UnsentAttachment(attachment.name, error);
    });
    if (block !== undefined) {
      blocks.push(block);
    }
  }
  return blocks.length === 0 ? [{ type: 'text', text }] : blocks;
}

async function findBlock(
  attachment: Attachment,
  { promptImage, promptEmbeddedContext }: AgentCapabilities,
  read: ReadText,
): Promise<Block | undefined> {
  switch (attachment.type) {
    case 'image': {
      const { mimeType, data } = attachment;
      return promptImage ? { type: 'image', mimeType, data } : undefined;
    }
    case 'selection': {
      const uri = `${attachment.uri}#L${attachment.startLine}-L${attachment.endLine}`;
      return promptEmbeddedContext
        ? { type: 'resource', uri, text: attachment.text }
        : { type: 'text', text: quoted(attachment) };
    }
    case 'file': {
      const { uri, name } = attachment;
      const text = promptEmbeddedContext ? await findText(uri, read) : undefined;
      return text === undefined
        ? { type: 'resource_link', uri, name }
        : { type: 'resource', uri, text };
    }
  }
}

async function findText(uri: string, read: ReadText): Promise<string | undefined> {
  const file = pathOfAttached(uri);
  try {
    const text = file === undefined ? undefined : await read(file);
    return text !== undefined && text.length <= maxResourceLength ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The selected lines with their location, for an agent without embedded resources. */
function quoted({ name, startLine, endLine, text }: Extract<Attachment, { type: 'selection' }>) {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `\n\n${name}, lines ${startLine} to ${endLine}:\n${fence}\n${text}\n${fence}\n`;
}
