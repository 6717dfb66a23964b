import fs from 'node:fs';
import process from 'node:process';

/** What the fake agent needs of the process that it is, or of the test that it runs in. */
export interface AgentHost {
  readonly input: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which it was started. */
  readonly cwd: string;
  /** Aborted once it has ended: what still runs stops then. */
  readonly ended: AbortSignal;
  /** Resolves when the bytes are written; calls keep their order. */
  readonly write: (bytes: string | Uint8Array) => Promise<void>;
  readonly writeError: (text: string) => Promise<void>;
  readonly closeOutput: () => void;
  readonly exit: (code: number) => void;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** This process, whose stdin and stdout the client has. */
export const processHost: AgentHost = {
  input: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  ended: new AbortController().signal,
  write: (bytes) => written(process.stdout, bytes),
  writeError: (text) => written(process.stderr, text),
  closeOutput: () => fs.closeSync(1),
  exit: (code) => process.exit(code),
  kill: (signal) => void process.kill(process.pid, signal),
};

function written(stream: NodeJS.WriteStream, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    stream.write(bytes, () => resolve());
  });
}
