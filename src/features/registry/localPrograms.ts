import { findOnPath } from '../../util/process/findProgram';

/** The program of an agent, as its own installer puts it on the PATH. */
export interface LocalProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** The programs, by the agent's id in the registry, which doesn't say how an installed program is started. */
const programs: ReadonlyMap<string, LocalProgram> = new Map([
  ['auggie', { command: 'auggie', args: ['--acp'] }],
  ['claude-acp', { command: 'claude-agent-acp', args: [] }],
  ['cline', { command: 'cline', args: ['--acp'] }],
  ['codex-acp', { command: 'codex-acp', args: [] }],
  ['gemini', { command: 'gemini', args: ['--acp'] }],
  ['github-copilot-cli', { command: 'copilot', args: ['--acp'] }],
  ['goose', { command: 'goose', args: ['acp'] }],
  ['kilo', { command: 'kilo', args: ['acp'] }],
  ['opencode', { command: 'opencode', args: ['acp'] }],
  ['pi-acp', { command: 'pi-acp', args: [] }],
  ['qwen-code', { command: 'qwen', args: ['--acp'] }],
]);

/** Finds the programs that are on the PATH, by the agent's id. */
export async function findLocalPrograms(): Promise<ReadonlyMap<string, LocalProgram>> {
  const found = await Promise.all(
    [...programs].map(async ([id, program]) =>
      (await isOnPath(program.command)) ? [[id, program] as const] : [],
    ),
  );
  return new Map(found.flat());
}

/** Whether the program is on the PATH. */
export async function isOnPath(program: string): Promise<boolean> {
  return (await findOnPath(program)) !== undefined;
}
