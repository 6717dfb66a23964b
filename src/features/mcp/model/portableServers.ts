import * as l10n from '@vscode/l10n';
import { EntryProblem } from '../../../platform/settings/entryChecks';
import type { McpServer } from '../../../protocol/agentConnection';
import { asArray, isObject, parseJson } from '../../../util/json';
import { failed, type McpDefinitions, readMcpServers, readServer } from './mcpSettings';

/**
 * Reads a file in the format that several agents share, `{ mcpServers }` in plain JSON: a folder's `.mcp.json`, and
 * `mcp-config.json` of Copilot.
 */
export function readPortableFile(text: string): McpDefinitions {
  const value = parseJson(text);
  if (value === undefined) {
    return failed(l10n.t('The file is not valid JSON.'));
  }
  if (!isObject(value)) {
    return failed(l10n.t('The file must contain an object with "mcpServers".'));
  }
  return readMcpServers(value['mcpServers'], readPortableServer);
}

function readPortableServer(name: string, entry: unknown): McpServer {
  if (!isObject(entry)) {
    return readServer(name, entry);
  }
  const server = readServer(name, {
    ...entry,
    ...(entry['type'] === 'local' && { type: 'stdio' }),
  });
  if (entry['disabled'] === true || entry['enabled'] === false) {
    throw new EntryProblem(l10n.t('The file turns it off.'));
  }
  if (entry['headersHelper'] !== undefined || entry['oauth'] !== undefined) {
    throw new EntryProblem(
      l10n.t('"headersHelper" and "oauth" can’t be passed on to an agent. Use "headers" instead.'),
    );
  }
  const { tools } = entry;
  if (tools !== undefined && !asArray(tools).includes('*')) {
    throw new EntryProblem(
      l10n.t('"tools" has no "*", and an agent can’t be told to use only some of the tools.'),
    );
  }
  return server;
}

/**
 * Replaces every `${VAR}` and `${VAR:-default}` by environment variables, without expanding the inserted values. One
 * that isn't set and has no default throws: the text itself would be a wrong path or password.
 */
export function substituteEnvironment(
  text: string,
  where: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
    const end = variable.indexOf(':-');
    const name = end < 0 ? variable : variable.slice(0, end);
    const value = env[name] ?? (end < 0 ? undefined : variable.slice(end + 2));
    if (value === undefined) {
      const problem = l10n.t('the environment variable {0} isn’t set.', name);
      throw new EntryProblem(`"${where}": ${problem}`);
    }
    return value;
  });
}
