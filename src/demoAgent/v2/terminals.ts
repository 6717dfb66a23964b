import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type {
  CreateTerminalRequest,
  SendRequestOptions,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoTerminals } from '../vocabulary/client';
import { sessionNotFound } from '../vocabulary/errors';

type Tell = (sessionId: string, update: SessionUpdate) => Promise<void>;

interface Running {
  readonly child: ChildProcess;
  readonly chunks: Buffer[];
  readonly exit: Promise<WaitForTerminalExitResponse>;
}

/** The agent's own terminals: it runs the commands, and the client only shows them. */
export class OwnTerminals implements DemoTerminals {
  readonly #tell: Tell;
  readonly #running = new Map<string, Running>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  async create(request: CreateTerminalRequest): Promise<string> {
    const { sessionId, command, args = [], env = [], cwd } = request;
    const terminalId = randomUUID();
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, {
      ...(cwd && { cwd }),
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await once(child, 'spawn');
    const tell = (update: SessionUpdate): Promise<void> => this.#tell(sessionId, update);
    const chunks: Buffer[] = [];
    const show = (data: Buffer): void => {
      chunks.push(data);
      for (const part of cut(data)) {
        const bytes = part.toString('base64');
        // Fails only if the connection is closed; then nobody is left to notify.
        tell({ sessionUpdate: 'terminal_output_chunk', terminalId, data: bytes }).catch(
          () => undefined,
        );
      }
    };
    child.stdout.on('data', show);
    child.stderr.on('data', show);
    const exit = ended(child).then(async (status) => {
      await tell({
        sessionUpdate: 'terminal_update',
        terminalId,
        exitStatus: status,
        capabilities: null,
      });
      return status;
    });
    exit.catch(() => undefined);
    this.#running.set(terminalId, { child, chunks, exit });
    await tell({
      sessionUpdate: 'terminal_update',
      terminalId,
      command: [command, ...args].join(' '),
      ...(cwd && { cwd }),
      capabilities: { cancel: {} },
    });
    return terminalId;
  }

  exit(
    { terminalId }: { readonly terminalId: string },
    { cancellationSignal: signal }: SendRequestOptions,
  ): Promise<WaitForTerminalExitResponse> {
    const { exit } = this.#get(terminalId);
    const cancelled = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([exit, cancelled]);
  }

  output({ terminalId }: { readonly terminalId: string }): Promise<string> {
    return Promise.resolve(Buffer.concat(this.#get(terminalId).chunks).toString('utf8'));
  }

  async release({ terminalId }: { readonly terminalId: string }): Promise<void> {
    await this.cancel(terminalId);
    this.#running.delete(terminalId);
  }

  /** Ends the command; resolves once that has been told. */
  async cancel(terminalId: string): Promise<void> {
    const { child, exit } = this.#get(terminalId);
    child.kill();
    await exit;
  }

  closeAll(): void {
    for (const { child } of this.#running.values()) {
      child.kill();
    }
  }

  #get(terminalId: string): Running {
    const running = this.#running.get(terminalId);
    if (running === undefined) {
      throw sessionNotFound(terminalId);
    }
    return running;
  }
}

async function ended(child: ChildProcess): Promise<WaitForTerminalExitResponse> {
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) };
}

/** In two in the middle of its first longer character, if it has one: a client has to put it together again. */
function cut(data: Buffer): Buffer[] {
  const at = data.findIndex((byte) => byte >= 0xc0) + 1;
  return at > 0 && at < data.length ? [data.subarray(0, at), data.subarray(at)] : [data];
}
