/** An agent that is known to speak the protocol, and its command. */
export interface KnownAgent {
  /** Its ID in the settings. */
  readonly id: string;
  readonly title: string;
  /** The program, searched for on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Its package for npx, with the tested version. */
  readonly package: string;
}

export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    title: 'Claude Agent',
    command: 'claude-agent-acp',
    args: [],
    package: '@agentclientprotocol/claude-agent-acp@0.100.0',
  },
  {
    id: 'codex',
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    package: '@agentclientprotocol/codex-acp@2.6.0',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    package: '@google/gemini-cli@0.61.0',
  },
  {
    id: 'copilot',
    title: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp'],
    package: '@github/copilot@1.0.102',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    package: 'opencode-ai@1.18.33',
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    package: '@qwen-code/qwen-code@0.24.4',
  },
  { id: 'pi', title: 'Pi', command: 'pi-acp', args: [], package: 'pi-acp@0.0.34' },
  {
    id: 'kilo',
    title: 'Kilo Code',
    command: 'kilo',
    args: ['acp'],
    package: '@kilocode/cli@7.7.7',
  },
  {
    id: 'auggie',
    title: 'Auggie',
    command: 'auggie',
    args: ['--acp'],
    package: '@augmentcode/auggie@0.36.0',
  },
  { id: 'cline', title: 'Cline', command: 'cline', args: ['--acp'], package: 'cline@3.0.65' },
];

/** The command through npx, which fetches exactly this version; no package is chosen by its name alone. */
export function throughNpx({ command, args, package: exact }: KnownAgent): readonly string[] {
  return ['npx', '--yes', `--package=${exact}`, '--', command, ...args];
}
