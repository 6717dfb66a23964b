import path from 'node:path';
import { type McpDefinitions, readMcpFile } from './mcpSettings';
import { readPortableFile } from './portableServers';

/** A file that lists servers. */
export interface McpFile {
  readonly file: string;
  /** How the agents that read it themselves know it. */
  readonly kind: '.vscode/mcp.json' | '.mcp.json' | 'mcp-config.json';
  /** Whose servers it lists; absent for those of the user. */
  readonly folder?: string;
  /** What answers and inputs are kept under. */
  readonly scope: string;
  readonly read: (text: string) => McpDefinitions;
}

/** The files of a folder, the one that counts more first (MCP-1). */
export function filesOf(folder: string): readonly McpFile[] {
  const [ofVsCode, portable] = [
    path.join(folder, '.vscode', 'mcp.json'),
    path.join(folder, '.mcp.json'),
  ];
  return [
    { file: ofVsCode, kind: '.vscode/mcp.json', folder, scope: folder, read: readMcpFile },
    { file: portable, kind: '.mcp.json', folder, scope: portable, read: readPortableFile },
  ];
}

/** Where the user's own servers may be, as Copilot looks for them: the first file that exists counts. */
export function placesOfOwnFile(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly McpFile[] {
  const chosen = env['COPILOT_HOME'];
  const config = env['XDG_CONFIG_HOME'];
  const folders = chosen
    ? [chosen]
    : [path.join(home, '.copilot'), ...(config ? [path.join(config, 'copilot')] : [])];
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => {
      const file = path.join(folder, 'mcp-config.json');
      return { file, kind: 'mcp-config.json', scope: file, read: readPortableFile };
    });
}

/** What agents call themselves, and which of the files they read without being asked to (T-98). */
const readers: readonly { readonly name: RegExp; readonly kinds: readonly McpFile['kind'][] }[] = [
  { name: /(?:^|\/)claude-(?:agent|code)-acp$/i, kinds: ['.mcp.json'] },
  { name: /^(?:github )?copilot(?: cli)?$/i, kinds: ['.mcp.json', 'mcp-config.json'] },
];

/** Whether an agent with this `agentInfo.name` starts the servers of a file by itself. */
export function readsItself(agentName: string | undefined, { kind }: McpFile): boolean {
  return readers.some(({ name, kinds }) => name.test(agentName ?? '') && kinds.includes(kind));
}
