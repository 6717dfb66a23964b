import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { triedAgentsFolder } from '../../scripts/setup/triedAgents.mjs';

/** How an agent is started with a scripted model. */
interface TriedAgent {
  readonly id: string;
  readonly title: string;
  /** The program and its arguments; the program is one of the installed packages. */
  readonly command: string;
  readonly args?: readonly string[];
  /** What it needs besides `HOME` to ask the model at this address. */
  readonly env?: (model: string) => Readonly<Record<string, string>>;
  /** Its own settings, by their path in the home folder. */
  readonly files?: (model: string) => Readonly<Record<string, string>>;
  /** In the usual one of some, a model decides what is allowed. */
  readonly mode?: string;
  /** How it is logged in, if it must be. */
  readonly login?: string;
}

export const triedAgents: readonly TriedAgent[] = [
  {
    id: 'claude',
    title: 'Claude',
    command: 'claude-agent-acp',
    // Its two halves read IS_SANDBOX differently.
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'scripted',
      IS_SANDBOX: '',
    }),
    mode: 'default',
  },
  {
    id: 'codex',
    title: 'Codex',
    command: 'codex-acp',
    env: () => ({ OPENAI_API_KEY: 'scripted' }),
    files: (model) => ({
      '.codex/config.toml': [
        'model = "gpt-5"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        'env_key = "OPENAI_API_KEY"',
      ].join('\n'),
    }),
    mode: 'workspace-write',
    login: 'api-key',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    files: (model) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'scripted/gpt-5',
        permission: { '*': 'ask' },
        autoupdate: false,
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
            models: { 'gpt-5': { name: 'gpt-5' } },
          },
        },
      }),
    }),
  },
];

/** Makes the agent's home folder, and returns its entry of `acpSessions.agents`. */
export async function prepareAgent(
  { id, title, command, args = [], env, files, mode }: TriedAgent,
  folder: string,
  model: string,
): Promise<object> {
  const home = path.join(folder, `home-${id}`);
  await mkdir(home, { recursive: true });
  for (const [file, text] of Object.entries(files?.(model) ?? {})) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), text);
  }
  return {
    title,
    command: path.join(triedAgentsFolder, 'node_modules', '.bin', command),
    args,
    env: { HOME: home, ...env?.(model) },
    ...(mode !== undefined && { defaults: { mode } }),
  };
}
