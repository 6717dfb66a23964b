import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { openTrace } from '../../../../../src/features/traces/model/openedTrace';
import { ReplayAgent } from '../../../../../src/features/traces/replayAgent/replayAgent';
import type { Transport } from '../../../../../src/protocol/agentTransport';
import { spawnAgent } from '../../../../../src/protocol/transport/stdio';
import { inMemoryTransports } from '../../../../support/inMemoryTransport';
import { inProject } from '../../../../support/project';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { folder } from '../../../model/fakes';
import { connect, endAgents, type Seen } from '../../../protocol/peer';

export const here = { cwd: folder.path, additionalDirectories: [], mcpServers: [] };

/** Agents that replay traces, for the tests of a suite; they end with the test. */
export class ReplayBench {
  readonly #replays: Transport[] = [];
  readonly #served: Promise<void>[] = [];
  #files = 0;

  /** Returns a bench of the suite; to be called in it. */
  static ofSuite(): ReplayBench {
    const bench = new ReplayBench();
    afterEach(() => bench.#end());
    after(removeTemporary);
    return bench;
  }

  readonly fileWith = (text: string): string => {
    const file = temporaryFile(`trace-${this.#files++}.ndjson`);
    writeFileSync(file, text);
    return file;
  };

  /** The agent as the extension starts it, for what only a process does. */
  readonly start = (...args: readonly string[]): Transport => {
    const program = inProject('dist/replayAgent.js');
    const replay = spawnAgent({ command: process.execPath, args: [program, ...args] });
    this.#replays.push(replay);
    return replay;
  };

  /** Runs the replay agent in this process. */
  readonly replay = (text: string): Transport => {
    const [client, own] = inMemoryTransports();
    const [input, output] = [new PassThrough(), new PassThrough()];
    own.onData((bytes) => input.write(bytes));
    own.onEnd(() => input.end());
    output.on('data', (bytes: Buffer) => void own.write(bytes).catch(() => undefined));
    this.#replays.push(client);
    this.#served.push(serve(this.fileWith(text), input, output));
    return client;
  };

  readonly replayed = (text: string): Promise<Seen> => connect(this.replay(text));

  async #end(): Promise<void> {
    await Promise.all(this.#replays.splice(0).map((replay) => replay.close()));
    await Promise.all(this.#served.splice(0));
    await endAgents();
  }
}

async function serve(file: string, input: Readable, output: Writable): Promise<void> {
  const opened = await openTrace(file, new AbortController().signal);
  await new ReplayAgent(opened, folder.path, output).serve(input);
  await opened.file.close();
}
