import type { AgentCapabilities } from '../../protocol/agentConnection';
import type { AvailableCommand } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import { UnsentAttachment } from '../failures/unsentAttachment';
import { pathOfAttached } from '../files/fileUri';
import type { Context, ContextPart } from './providedContext';

/** Reads a file; `undefined` when it can't be read as text. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Reads what an attachment stands for now; rejects if it can't be read. */
export type ReadContext = (context: Context) => Promise<readonly ContextPart[]>;

/** Maximum length, in UTF-16 units: a longer file is sent as a link, not as its content. */
const maxResourceLength = 200_000;

/** The prompt with the skills marked that its text names (T-91). */
export function withSkills(
  [first, ...rest]: readonly Block[],
  commands: readonly AvailableCommand[],
): readonly Block[] {
  if (first?.type !== 'text') {
    return first === undefined ? rest : [first, ...rest];
  }
  const words = new Set(first.text.split(/\s+/));
  const skills = commands.flatMap(({ skill, name }) =>
    skill && words.has(`/${name}`) ? [name] : [],
  );
  return [skills.length === 0 ? first : { type: 'text', text: first.text, skills }, ...rest];
}

/**
 * Converts a draft to content blocks that the agent supports (PR-2 to PR-4, CO-2, CO-4, CO-5): the
 * text, then the attachments in order. Never empty.
 */
export async function promptBlocks(
  { text, attachments }: Draft,
  capabilities: AgentCapabilities,
  read: ReadText,
  readContext: ReadContext,
): Promise<readonly Block[]> {
  const blocks: Block[] = text === '' ? [] : [{ type: 'text', text }];
  for (const attachment of attachments) {
    const found = findBlocks(attachment, capabilities, { read, readContext });
    blocks.push(
      ...(await found.catch((error: unknown) => {
        throw new UnsentAttachment(attachment.name, error);
      })),
    );
  }
  return blocks.length === 0 ? [{ type: 'text', text }] : blocks;
}

async function findBlocks(
  attachment: Attachment,
  { promptImage, promptEmbeddedContext }: AgentCapabilities,
  { read, readContext }: { readonly read: ReadText; readonly readContext: ReadContext },
): Promise<readonly Block[]> {
  const block = ({ uri, name, text }: ContextPart): Block =>
    promptEmbeddedContext
      ? { type: 'resource', uri, text }
      : { type: 'text', text: quoted(name, text) };
  switch (attachment.type) {
    case 'image': {
      const { mimeType, data } = attachment;
      return promptImage ? [{ type: 'image', mimeType, data }] : [];
    }
    case 'selection': {
      const { uri, name, startLine, endLine, text } = attachment;
      return [
        block({
          uri: `${uri}#L${startLine}-L${endLine}`,
          name: `${name}, lines ${startLine} to ${endLine}`,
          text,
        }),
      ];
    }
    case 'text':
      return [block(attachment)];
    case 'context': {
      const parts = await readContext(attachment);
      return parts.length > 0 ? parts.map(block) : [{ type: 'text', text: empty(attachment) }];
    }
    case 'file': {
      const { uri, name } = attachment;
      const text = promptEmbeddedContext ? await findText(uri, read) : undefined;
      return [
        text === undefined ? { type: 'resource_link', uri, name } : { type: 'resource', uri, text },
      ];
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

/** Tells the agent, and in the prompt's message the user, that there was nothing when the prompt was sent. */
function empty({ name }: Context): string {
  return `\n\n${name}: nothing at the moment.\n`;
}

/** A text with what it is, for an agent without embedded resources. */
function quoted(name: string, text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `\n\n${name}:\n${fence}\n${text}\n${fence}\n`;
}
