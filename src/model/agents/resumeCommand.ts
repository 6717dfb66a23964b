import path from 'node:path';
import type { AgentConfig } from '../ports';

/**
 * How programs continue a session that their agent also offers. `program`: absent if the agent's own program does,
 * which keeps the arguments before `own`.
 */
interface Known {
  readonly agent: RegExp;
  readonly package: string;
  readonly program?: string;
  /** The first argument that makes an agent of the program. */
  readonly own?: string;
  readonly args: (sessionId: string) => readonly string[];
}

/** Programs that can resume a session, as their own documentation or their makers say. */
const known: readonly Known[] = [
  {
    agent: /^claude-(?:agent|code)-acp$/,
    package: '@agentclientprotocol/claude-agent-acp',
    program: 'claude',
    args: (sessionId) => ['--resume', sessionId],
  },
  {
    agent: /^codex-acp$/,
    package: '@agentclientprotocol/codex-acp',
    program: 'codex',
    args: (sessionId) => ['resume', sessionId],
  },
  {
    agent: /^gemini$/,
    package: '@google/gemini-cli',
    own: '--acp',
    args: (sessionId) => ['--resume', sessionId],
  },
  {
    agent: /^copilot$/,
    package: '@github/copilot',
    own: '--acp',
    args: (sessionId) => ['--resume', sessionId],
  },
  {
    agent: /^qwen$/,
    package: '@qwen-code/qwen-code',
    own: '--acp',
    args: (sessionId) => ['--resume', sessionId],
  },
  {
    agent: /^opencode$/,
    package: 'opencode-ai',
    own: 'acp',
    args: (sessionId) => ['--session', sessionId],
  },
];

/** An ID that no program takes for an option, and no shell for anything but a word. */
const plainId = /^[A-Za-z0-9][\w.:@-]{0,255}$/;

export function isPlainId(sessionId: string): boolean {
  return plainId.test(sessionId);
}

/**
 * The program and arguments that continue a session in a terminal: those of the agent's entry in the settings,
 * otherwise those of a known agent, which is recognized by the entry's own words. `undefined` if there are none.
 */
export function findResumeCommand(
  { command, args, resumeCommand }: AgentConfig,
  sessionId: string,
): readonly string[] | undefined {
  if (resumeCommand !== undefined) {
    return resumeCommand.map((word) => word.replaceAll('${sessionId}', () => sessionId));
  }
  const name = (word: string): string =>
    path.win32.basename(word).replace(/\.(?:exe|cmd|bat|ps1|js)$/i, '');
  const isRunner = /^(?:npx|bunx|pnpx)$/.test(name(command));
  const found = known.find(
    (one) =>
      one.agent.test(name(command)) ||
      (isRunner && args.some((arg) => isPackage(arg.replace(/^--package=/, ''), one.package))),
  );
  if (found === undefined) {
    return undefined;
  }
  if (found.program !== undefined) {
    return [found.program, ...found.args(sessionId)];
  }
  const end = args.indexOf(found.own ?? '');
  return end === -1 ? undefined : [command, ...args.slice(0, end), ...found.args(sessionId)];
}

/** Whether this names the package, with or without a version. */
function isPackage(word: string, name: string): boolean {
  return word === name || word.startsWith(`${name}@`);
}
