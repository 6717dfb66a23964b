import type { Terminal, TerminalOptions, Terminals } from '../../../src/model/ports';
import type { TerminalExit, TerminalOutput } from '../../../src/protocol/agentRequests';
import { deferred } from '../../../src/util/async';
import { Emitter } from '../../../src/util/emitter';

/** A command whose output and exit the test controls. */
export class FakeTerminal implements Terminal {
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;
  readonly #exited = deferred<TerminalExit>();
  readonly exited = this.#exited.promise;
  #output = '';
  #status: TerminalExit | undefined;
  kills = 0;
  truncated = false;

  constructor(readonly options: TerminalOptions) {}

  get output(): TerminalOutput {
    return {
      output: this.#output,
      truncated: this.truncated,
      ...(this.#status && { exitStatus: this.#status }),
    };
  }

  get shown(): TerminalOutput {
    return this.output;
  }

  print(text: string): void {
    this.#output += text;
    this.#changed.fire(text);
  }

  end(exitCode: number | null, signal: string | null = null): void {
    this.#status ??= { exitCode, signal };
    this.#exited.resolve(this.#status);
    this.#changed.fire('');
  }

  kill(): Promise<void> {
    this.kills++;
    this.end(null, 'SIGTERM');
    return Promise.resolve();
  }

  dispose(): void {
    this.end(null, 'SIGTERM');
  }
}

export class FakeTerminals implements Terminals {
  readonly all: FakeTerminal[] = [];
  ready: Promise<void> = Promise.resolve();

  /** Returns a shell as if no program had a space in its name. */
  shellFor({ command, args }: TerminalOptions): Promise<string | undefined> {
    return Promise.resolve(args.length === 0 && command.includes(' ') ? '/bin/sh' : undefined);
  }

  async create(options: TerminalOptions): Promise<Terminal> {
    await this.ready;
    const terminal = new FakeTerminal(options);
    this.all.push(terminal);
    return terminal;
  }
}
