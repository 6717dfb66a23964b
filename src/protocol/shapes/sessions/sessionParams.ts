import path from 'node:path';
import type { Block } from '../../../shared/transcript/content';
import type { AgentCapabilities, GivenMcpServer, SessionPlace } from '../../agentConnection';
import { AcpError } from '../../errors';
import type { ProtocolLog } from '../../rpc/countedLog';
import { systemPromptParams } from './systemPrompt';

/** How a version of the protocol marks an MCP server that is started as a program. */
export interface StdioMark {
  readonly type?: 'stdio';
}

/** The folders, MCP servers and system prompt of a session, as params of `session/new`, `load`, `resume` and `fork`. */
export function placeParams(
  place: SessionPlace,
  capabilities: AgentCapabilities,
  stdio: StdioMark,
  log: ProtocolLog,
): object {
  return {
    ...foldersParams(place, capabilities),
    mcpServers: mcpServers(place, capabilities, stdio, log),
    ...systemPromptParams(place, capabilities),
  };
}

/** The folders of a session. */
export function foldersParams(
  place: Pick<SessionPlace, 'cwd' | 'additionalDirectories'>,
  capabilities: AgentCapabilities,
): object {
  const { cwd } = place;
  if (!isAbsolute(cwd)) {
    throw new AcpError('invalidParams', `The session's folder is not an absolute path: ${cwd}`);
  }
  return { cwd, ...additionalDirectories(place, capabilities) };
}

/** The message with which a fork should end, as params of `session/fork` (T-42). */
export function forkPoint(messageId: string): object {
  return { _meta: { jetbrains: { air: { fork: { version: 1, messageId } } } } };
}

/**
 * Whether a path is absolute (TR-11). The Windows check accepts both kinds of paths; the rest is up
 * to the agent.
 */
function isAbsolute(file: string): boolean {
  return path.win32.isAbsolute(file);
}

/**
 * The additional directories, if the agent accepts them: absolute, without duplicates and without
 * the cwd (DIR-1 to DIR-4).
 */
function additionalDirectories(
  place: Pick<SessionPlace, 'cwd' | 'additionalDirectories'>,
  capabilities: AgentCapabilities,
): { additionalDirectories?: readonly string[] } {
  const roots = new Set(place.additionalDirectories.filter(isAbsolute));
  roots.delete(place.cwd);
  const wanted = capabilities.additionalDirectories && roots.size > 0;
  return wanted ? { additionalDirectories: [...roots] } : {};
}

/** The MCP servers whose transport the agent supports; the others are logged (MCP-1 to MCP-4). */
function mcpServers(
  place: SessionPlace,
  capabilities: AgentCapabilities,
  stdio: StdioMark,
  log: ProtocolLog,
): readonly object[] {
  return place.mcpServers.flatMap((server) => {
    const hindrance = findHindrance(server, capabilities);
    if (hindrance !== undefined) {
      log.warn(`MCP server ${JSON.stringify(server.name)} was left out: ${hindrance}`);
      return [];
    }
    return [wireServer(server, stdio)];
  });
}

function findHindrance(
  server: GivenMcpServer,
  capabilities: AgentCapabilities,
): string | undefined {
  switch (server.type) {
    case 'stdio':
      if (!capabilities.mcpStdio) {
        return 'the agent does not start servers';
      }
      return isAbsolute(server.command) ? undefined : 'its command is not an absolute path';
    case 'http':
      return capabilities.mcpHttp ? undefined : 'the agent does not connect over http';
    case 'sse':
      return capabilities.mcpSse ? undefined : 'the agent does not connect over sse';
    case 'acp':
      return capabilities.mcpAcp ? undefined : 'the agent does not connect over the protocol';
  }
}

/** A server as sent: in version 1, a stdio server has no `type` (MCP-2); in version 2, each has one (V2-MCP-1). */
function wireServer(server: GivenMcpServer, stdio: StdioMark): object {
  const { name } = server;
  if (server.type === 'stdio') {
    const { command, args, env } = server;
    return { ...stdio, name, command, args, env: pairs(env) };
  }
  if (server.type === 'acp') {
    return { type: server.type, name, serverId: server.serverId };
  }
  const { type, url, headers } = server;
  return { type, name, url, headers: pairs(headers) };
}

function pairs(record: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/**
 * The blocks of a prompt; throws if there are none, or if the agent doesn't accept one of them
 * (PR-2, PR-3).
 */
export function promptParams(blocks: readonly Block[], capabilities: AgentCapabilities): object[] {
  if (blocks.length === 0) {
    throw new AcpError('invalidParams', 'A prompt without content can’t be sent');
  }
  return blocks.flatMap((block, at) => {
    if (!takes(block, capabilities)) {
      throw new AcpError('unsupported', `The agent does not take content of type ${block.type}`);
    }
    if (block.type !== 'text' || block.skills === undefined) {
      return [wireBlock(block)];
    }
    const { promptSkill, promptSkillInline: isInline } = capabilities;
    return skillBlocks(block.text, promptSkill ? block.skills : [], { at, isInline });
  });
}

/**
 * A text with skills in it: at the beginning of a prompt, or anywhere if the agent takes them `isInline`. To others it is
 * what it says, and agents read a skill that it begins with as the command of that name (T-91).
 */
function skillBlocks(
  text: string,
  skills: readonly string[],
  { at, isInline }: { readonly at: number; readonly isInline: boolean },
): object[] {
  const names = new Set(skills.map((name) => `/${name}`));
  const blocks: object[] = [];
  let from = 0;
  const addText = (to: number): void => {
    const between = text.slice(from, to).trim();
    if (between !== '') {
      blocks.push({ type: 'text', text: between });
    }
  };
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (names.has(word) && (isInline || (at === 0 && index === 0))) {
      addText(index);
      blocks.push({ type: 'skill', name: word.slice(1) });
      from = index + word.length;
    }
  }
  if (from === 0) {
    return [{ type: 'text', text }];
  }
  addText(text.length);
  return blocks;
}

function takes(block: Block, capabilities: AgentCapabilities): boolean {
  switch (block.type) {
    case 'text':
    case 'resource_link':
      return true;
    case 'image':
      return capabilities.promptImage;
    case 'audio':
      return capabilities.promptAudio;
    case 'resource':
      return capabilities.promptEmbeddedContext && block.text !== undefined;
    case 'unknown':
      return false;
  }
}

/**
 * The block in the protocol's shape, which only differs for a resource, whose content is wrapped
 * (CO-4).
 */
function wireBlock(block: Block): object {
  if (block.type !== 'resource') {
    return block;
  }
  const { uri, mimeType, text } = block;
  return { type: 'resource', resource: { uri, ...(mimeType && { mimeType }), text } };
}
