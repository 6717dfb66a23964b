import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { promptServerNodeOptions } from '../../../../../src/shared/prompt/promptProtocol';
import { inProject } from '../../../../support/project';
import { type ClientOptions, LanguageClient } from './languageClient';

type Started = ChildProcessByStdio<Writable, Readable, Readable>;

/** A headless editor that has started the shipped server. */
export class ServerProcess extends LanguageClient {
  readonly process: Started;

  private constructor(started: Started, answers: ClientOptions['answers']) {
    super(started.stdin, started.stdout, answers);
    this.process = started;
    started.stderr.resume();
    // Writes to a server that has ended fail.
    started.stdin.on('error', () => undefined);
    started.once('exit', () => this.giveUp());
  }

  static async start(options: ClientOptions = {}): Promise<ServerProcess> {
    const program = inProject('dist/promptServer.js');
    const args = [...promptServerNodeOptions, program, '--stdio'];
    const started = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const client = new ServerProcess(started, options.answers);
    await client.initialize(options, process.pid);
    return client;
  }

  /** Shuts the server down as an editor does. */
  async stop(): Promise<number | null> {
    const ended = once(this.process, 'exit');
    await this.request('shutdown', undefined);
    this.notify('exit', undefined);
    const [code] = (await ended) as [number | null];
    return code;
  }

  async kill(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGKILL');
      await ended;
    }
  }
}
