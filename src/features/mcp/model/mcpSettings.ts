import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import stripJsonComments from 'strip-json-comments';
import { cleanText } from '../../../model/text/titles';
import {
  EntryProblem,
  environment,
  inputIds,
  optionalText,
  textList,
  textMap,
} from '../../../platform/settings/entryChecks';
import type { McpServer } from '../../../protocol/agentConnection';
import { hasUnseen as hasUnseenText, literalLine } from '../../../shared/literal';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';

/** The definition of a variable `${input:id}`, with which the user is asked for its value. */
export interface McpInput {
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
  readonly initial?: string;
  /** Choices for the user, instead of free text. */
  readonly options?: readonly string[];
}

/** Servers as written, before variables are replaced. */
export interface McpDefinitions {
  readonly servers: readonly McpServer[];
  readonly inputs: ReadonlyMap<string, McpInput>;
  /** What is left out and why, without values, which may be secrets (MCP-7). */
  readonly problems: readonly string[];
}

type ReadServer = (name: string, entry: unknown) => McpServer;

/** Of more servers that can't be used, only the number is told. */
const maxProblems = 20;

/** Reads the value of `acpSessions.mcpServers`: a map from name to server. */
export function readMcpServers(value: unknown, read: ReadServer = readServer): McpDefinitions {
  if (value === undefined || value === null) {
    return { servers: [], inputs: new Map(), problems: [] };
  }
  if (!isObject(value)) {
    return failed(l10n.t('The servers must be an object that maps names to servers.'));
  }
  const servers: McpServer[] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(value)) {
    try {
      servers.push(read(name, entry));
    } catch (error) {
      problems.push(`${cleanText(name, 100)}: ${getReasonOrThrow(error)}`);
    }
  }
  const more = problems.length - maxProblems;
  const told = problems.slice(0, maxProblems);
  return {
    servers,
    inputs: new Map(),
    problems: more > 0 ? [...told, l10n.t('{0} more servers can’t be used.', more)] : told,
  };
}

/** Reads a `.vscode/mcp.json`: `{ inputs, servers }`, in JSON with comments. */
export function readMcpFile(text: string): McpDefinitions {
  let value: unknown;
  try {
    value = JSON.parse(stripJsonComments(text, { trailingCommas: true }));
  } catch {
    // The parser's message quotes the text at the error.
    return failed(l10n.t('The file is not valid JSON.'));
  }
  if (!isObject(value)) {
    return failed(l10n.t('The file must contain an object with "servers".'));
  }
  const { servers, problems } = readMcpServers(value['servers']);
  const inputs = asArray(value['inputs']).filter(isObject);
  // VS Code would run a command for these, which must not happen because of a file alone.
  const commands = inputs.filter(({ type }) => type === 'command').map(({ id }) => id);
  const needsCommand = (server: McpServer): boolean =>
    getInputs(server).some((id) => commands.includes(id));
  return {
    servers: servers.filter((server) => !needsCommand(server)),
    inputs: new Map(inputs.flatMap(readInput).map((input) => [input.id, input])),
    problems: [
      ...problems,
      ...servers
        .filter(needsCommand)
        .map(({ name }) => l10n.t('{0}: an input that runs a command is not supported.', name)),
    ],
  };
}

/** The ids of the inputs that a server needs. */
export function getInputs(server: McpServer): readonly string[] {
  return [...new Set(getTexts(server).flatMap(inputIds))];
}

/**
 * Everything that determines what a server does, as one text for the user to read; without the values of variables and
 * headers where the user has written them, since others may see the screen.
 */
export function describeServer(server: McpServer, hidesValues = false): string {
  const assigned = (values: Readonly<Record<string, string>>): string[] =>
    Object.entries(values).map(([name, value]) => `${name}=${hidesValues ? '…' : value}`);
  const does =
    server.type === 'stdio'
      ? l10n.t(
          'runs {0}',
          [words(assigned(server.env)), program(server.command), words(server.args)]
            .filter(Boolean)
            .join(' '),
        )
      : l10n.t('connects to {0}', words([server.url, ...assigned(server.headers)]));
  return literalLine(`${server.name} ${does}`);
}

/** Whether anything of it has characters that nobody sees: no server needs them. Line breaks are shown. */
export function hasUnseen(server: McpServer): boolean {
  const names = Object.keys(server.type === 'stdio' ? server.env : server.headers);
  return [server.name, ...names, ...getTexts(server)].some(hasUnseenText);
}

/** A program's name that reads like a variable is none. */
function program(command: string): string {
  return command.includes('=') ? JSON.stringify(command) : quoted(command);
}

function words(all: readonly string[]): string {
  return all.map(quoted).join(' ');
}

/** A word as it is, if it can't be taken for several ones or for a part of another. */
function quoted(word: string): string {
  return /^[^\s"'`\\]+$/u.test(word) ? word : JSON.stringify(word);
}

/** Equal only for equal servers. */
export function getFingerprint(servers: readonly McpServer[]): string {
  return createHash('sha256').update(JSON.stringify(servers)).digest('hex');
}

export function getReasonOrThrow(error: unknown): string {
  if (error instanceof EntryProblem) {
    return error.message;
  }
  throw error;
}

export function failed(problem: string): McpDefinitions {
  return { servers: [], inputs: new Map(), problems: [problem] };
}

export function readServer(name: string, entry: unknown): McpServer {
  if (name.trim() === '') {
    throw new EntryProblem(l10n.t('The name is empty.'));
  }
  if (!isObject(entry)) {
    throw new EntryProblem(l10n.t('The server must be an object with a "command" or a "url".'));
  }
  const type = entry['type'] ?? (entry['url'] === undefined ? 'stdio' : 'http');
  if (type === 'stdio') {
    return { type, ...readStdio(name, entry) };
  }
  if (type !== 'http' && type !== 'sse') {
    throw new EntryProblem(l10n.t('"type" must be "stdio", "http" or "sse".'));
  }
  const url = optionalText(entry['url'], 'url')?.trim() ?? '';
  if (url === '') {
    throw new EntryProblem(l10n.t('"url" is missing.'));
  }
  return { type, name, url, headers: textMap(entry['headers'], 'headers') };
}

function readStdio(name: string, entry: JsonObject): Omit<McpServer & { type: 'stdio' }, 'type'> {
  const command = optionalText(entry['command'], 'command')?.trim() ?? '';
  if (command === '') {
    throw new EntryProblem(l10n.t('"command" is missing: the program that runs the server.'));
  }
  // Agents can't be told these, so the server would run without them.
  const isDefaultFolder = [undefined, '${workspaceFolder}'].includes(
    optionalText(entry['cwd'], 'cwd'),
  );
  if (!isDefaultFolder || entry['envFile'] !== undefined || entry['sandboxEnabled'] === true) {
    throw new EntryProblem(
      l10n.t(
        '"cwd", "envFile" and "sandboxEnabled" can’t be passed on to an agent. Leave them out to use the server.',
      ),
    );
  }
  const env = isObject(entry['env']) ? withoutNumbers(entry['env']) : entry['env'];
  return { name, command, args: textList(entry['args'], 'args'), env: environment(env, 'env') };
}

/** VS Code also allows numbers, and `null` for a variable that isn't set. */
function withoutNumbers(env: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(env)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}

function readInput(value: JsonObject): readonly McpInput[] {
  const id = asString(value['id']);
  if (id === undefined) {
    return [];
  }
  const initial = asString(value['default']);
  const options = asArray(value['options']).flatMap((option) => {
    const text = isObject(option) ? asString(option['value']) : asString(option);
    return text === undefined ? [] : [text];
  });
  return [
    {
      id,
      description: asString(value['description']) ?? id,
      password: value['password'] === true,
      ...(initial !== undefined && { initial }),
      ...(value['type'] === 'pickString' && { options }),
    },
  ];
}

function getTexts(server: McpServer): readonly string[] {
  return server.type === 'stdio'
    ? [server.command, ...server.args, ...Object.values(server.env)]
    : [server.url, ...Object.values(server.headers)];
}
