import { fileURLToPath } from 'node:url';
import type { AgentCapabilities } from '../../protocol/agentConnection';
import type { Attachment, Draft } from '../../shared/prompt/prompt';
import type { Block } from '../../shared/transcript/content';

/** The text of a file, or nothing when it can't be had as text. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Something that can't be made ready to go along with a prompt. */
export class UnsentAttachment extends Error {
  constructor(
    readonly attachment: string,
    reason: unknown,
  ) {
    super(reason instanceof Error ? reason.message : String(reason), { cause: reason });
  }
}

/** Characters of a file that go along as its content; a longer one goes as a link. */
const largestResource = 200_000;

/**
 * A draft in the blocks that the agent takes (PR-2 to PR-4, CO-2, CO-4, CO-5): the text first, then what was
 * attached to it, in its order. Never empty.
 */
export async function promptBlocks(
  { text, attachments }: Draft,
  capabilities: AgentCapabilities,
  read: ReadText,
): Promise<readonly Block[]> {
  const blocks: Block[] = text === '' ? [] : [{ type: 'text', text }];
  for (const attachment of attachments) {
    const block = await blockOf(attachment, capabilities, read).catch((error: unknown) => {
      throw new UnsentAttachment(attachment.name, error);
    });
    if (block !== undefined) {
      blocks.push(block);
    }
  }
  return blocks.length === 0 ? [{ type: 'text', text }] : blocks;
}

async function blockOf(
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
      const text = promptEmbeddedContext ? await textOf(uri, read) : undefined;
      return text === undefined
        ? { type: 'resource_link', uri, name }
        : { type: 'resource', uri, text };
    }
  }
}

async function textOf(uri: string, read: ReadText): Promise<string | undefined> {
  try {
    const text = await read(fileURLToPath(uri));
    return text !== undefined && text.length <= largestResource ? text : undefined;
  } catch {
    return undefined;
  }
}

/** For an agent that takes no resources: the lines themselves, with where they are from. */
function quoted({ name, startLine, endLine, text }: Extract<Attachment, { type: 'selection' }>) {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `\n\n${name}, lines ${startLine} to ${endLine}:\n${fence}\n${text}\n${fence}\n`;
}
