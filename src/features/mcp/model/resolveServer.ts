import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { EntryProblem } from '../../../platform/settings/entryChecks';
import type { McpServer } from '../../../protocol/agentConnection';
import { findOnPath } from '../../../util/process/findProgram';

/** Replaces the variables of a text; `where` names it in messages. Throws `EntryProblem`. */
type Fill = (text: string, where: string) => string;

/** How a server that was written down becomes one that can be passed on. */
export interface Resolving {
  readonly fill: Fill;
  /** What relative commands start from; `undefined` if there is no one folder for that. */
  readonly folder: string | undefined;
}

/** A server with its variables replaced and its command absolute (MCP-2). Rejects with `EntryProblem`. */
export async function resolveServer(
  server: McpServer,
  { fill, folder }: Resolving,
): Promise<McpServer> {
  const fillAll = (values: Readonly<Record<string, string>>, where: string) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, fill(value, `${where}.${name}`)]),
    );
  if (server.type === 'stdio') {
    const command = fill(server.command, 'command');
    return {
      ...server,
      command: await absoluteCommand(command, folder),
      args: server.args.map((arg, index) => fill(arg, `args[${index}]`)),
      env: fillAll(server.env, 'env'),
    };
  }
  const headers = fillAll(server.headers, 'headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(value)) {
      throw new EntryProblem(l10n.t('"headers" contains an invalid name or value.'));
    }
  }
  return { ...server, url: checkedUrl(fill(server.url, 'url')), headers };
}

/** MCP-2. */
async function absoluteCommand(command: string, folder: string | undefined): Promise<string> {
  if (path.isAbsolute(command)) {
    return command;
  }
  if (path.basename(command) !== command) {
    if (folder === undefined) {
      throw new EntryProblem(
        l10n.t('"command" is a relative path, and there is no folder that it starts from.'),
      );
    }
    return path.resolve(folder, command);
  }
  const found = await findOnPath(command);
  if (found === undefined) {
    throw new EntryProblem(l10n.t('"command" was not found on PATH.'));
  }
  return found;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new EntryProblem(
      l10n.t('"url" must be an address that begins with http:// or https://.'),
    );
  }
  return text;
}
