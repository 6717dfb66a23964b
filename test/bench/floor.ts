import { spawn } from 'node:child_process';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import type { BenchAgent } from './agent';

interface Drain {
  /** The time from writing the request to reading its answer. */
  readonly milliseconds: number;
  /** Bytes that the agent sent in between. */
  readonly bytes: number;
  readonly messages: number;
  /** Processor time spent in this process, in milliseconds. */
  readonly processor: number;
}

interface DrainedSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** Whether the messages are kept until the answer, as a client must keep what it shows. */
  readonly keeps?: boolean;
}

/**
 * The floor: the least that a Node client can do to drain a session. It splits lines, parses JSON
 * and looks for the answer to `session/load`, or what is that in version 2.
 */
export function drainBare(
  agent: BenchAgent,
  { sessionId, cwd, keeps = false }: DrainedSession,
): Promise<Drain> {
  const params = { sessionId, cwd, mcpServers: [] };
  return agent.protocol === '2'
    ? drain(
        agent,
        'session/resume',
        { ...params, replayFrom: { type: 'start' } },
        { initialize: version2, keeps },
      )
    : drain(agent, 'session/load', params, { keeps });
}

const version1 = { protocolVersion: 1, clientCapabilities: {} };
const version2 = {
  protocolVersion: 2,
  info: { name: 'floor', version: '0.0.0' },
  capabilities: {},
};

/** Drains the stream of a turn. */
export async function drainStream(
  agent: FakeAgentCommand,
  sessionId: string,
): Promise<{
  readonly updatesPerSecond: number;
  /** Percent of one core. */
  readonly share: number;
}> {
  const prompt = [{ type: 'text', text: 'stream' }];
  const drained = await drain(agent, 'session/prompt', { sessionId, prompt });
  return {
    updatesPerSecond: Math.round((1000 * drained.messages) / drained.milliseconds),
    share: (100 * drained.processor) / drained.milliseconds,
  };
}

async function drain(
  agent: FakeAgentCommand,
  method: string,
  params: unknown,
  { initialize = version1, keeps = false }: { initialize?: object; keeps?: boolean } = {},
): Promise<Drain> {
  const child = spawn(agent.command, agent.args, {
    env: { ...process.env, ...agent.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (id: number, name: string, content: unknown): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: name, params: content })}\n`);
  };
  try {
    return await new Promise<Drain>((resolve, reject) => {
      let rest = '';
      let bytes = 0;
      let messages = 0;
      let started = 0;
      let before = process.cpuUsage();
      const kept: unknown[] = [];
      child.on('error', reject);
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const message = JSON.parse(line) as { id?: number };
          messages++;
          if (keeps) kept.push(message);
          if (message.id === 1) {
            bytes = 0;
            messages = 0;
            started = performance.now();
            before = process.cpuUsage();
            send(2, method, params);
          } else if (message.id === 2) {
            const { user, system } = process.cpuUsage(before);
            const processor = (user + system) / 1000;
            resolve({ milliseconds: performance.now() - started, bytes, messages, processor });
          }
        }
      });
      send(1, 'initialize', initialize);
    });
  } finally {
    child.kill('SIGKILL');
  }
}
