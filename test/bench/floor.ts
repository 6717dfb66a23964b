import { spawn } from 'node:child_process';
import type { FakeAgentCommand } from '../fakeAgent/scenario';

export interface Drain {
  /** From writing `session/load` to reading its answer. */
  readonly milliseconds: number;
  /** What the agent sent in between. */
  readonly bytes: number;
}

/**
 * The floor: the least that a Node client can do to drain a session. It splits lines, parses JSON
 * and looks for the answer to `session/load`.
 */
export async function drainBare(
  agent: FakeAgentCommand,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): Promise<Drain> {
  const child = spawn(agent.command, agent.args, {
    env: { ...process.env, ...agent.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (id: number, method: string, params: unknown): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  };
  try {
    return await new Promise<Drain>((resolve, reject) => {
      let rest = '';
      let bytes = 0;
      let started = 0;
      child.on('error', reject);
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const message = JSON.parse(line) as { id?: number };
          if (message.id === 1) {
            bytes = 0;
            started = performance.now();
            send(2, 'session/load', { sessionId, cwd, mcpServers: [] });
          } else if (message.id === 2) {
            resolve({ milliseconds: performance.now() - started, bytes });
          }
        }
      });
      send(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    });
  } finally {
    child.kill('SIGKILL');
  }
}
