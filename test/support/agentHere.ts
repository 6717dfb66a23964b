import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { AgentProcess, StartAgent } from '../../src/protocol/transport/stdio';
import { childEnvironment } from '../../src/util/process/childEnvironment';
import type { StartOptions } from '../../src/util/process/startProcess';
import { FakeAgent } from '../fakeAgent/agent';
import type { AgentHost } from '../fakeAgent/host';
import type { Scenario } from '../fakeAgent/scenario';

/** What only a process of its own has: an id, children, signals that it ignores. */
const ofProcess = /"(?:pidFile|ownIds|ignoreTerm|ignoreStdinEnd|grandchild|kill|closeStdout)":/;

/**
 * Starts fake agents in this process, over streams instead of pipes, except for those whose scenario says something of
 * their process; anything else is started by `otherwise`.
 */
export function startingHere(otherwise: StartAgent): StartAgent {
  return (options) => {
    const scenario = scenarioOf(options);
    return scenario === undefined || ofProcess.test(JSON.stringify(scenario))
      ? otherwise(options)
      : new ProcessHere(scenario, options);
  };
}

function scenarioOf({ args: [program, json] }: StartOptions): Scenario | undefined {
  return program !== undefined && /[\\/]fakeAgent\.js$/.test(program) && json?.startsWith('{')
    ? (JSON.parse(json) as Scenario)
    : undefined;
}

/** What looks like a process with a fake agent. */
class ProcessHere extends EventEmitter implements AgentProcess {
  readonly pid = process.pid;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly child = this as unknown as AgentProcess['child'];
  readonly tree: AgentProcess['tree'];
  readonly #end = new AbortController();

  constructor(scenario: Scenario, { cwd = process.cwd(), environments }: StartOptions) {
    super();
    this.tree = {
      terminate: () => this.#terminate(),
      hasChildren: () => Promise.resolve(false),
      dispose: () => undefined,
    };
    const host: AgentHost = {
      input: this.stdin,
      env: childEnvironment(environments),
      cwd,
      ended: this.#end.signal,
      write: (bytes) => this.#write(this.stdout, bytes),
      writeError: (text) => this.#write(this.stderr, text),
      closeOutput: () => this.stdout.end(),
      exit: (code) => this.#exit(code, null),
      kill: (signal) => this.#exit(null, signal),
    };
    setImmediate(() => {
      this.emit('spawn');
      new FakeAgent(scenario, host).run();
    });
  }

  #write(stream: PassThrough, bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#end.signal.aborted) {
        resolve();
      } else {
        stream.write(bytes, () => resolve());
      }
    });
  }

  /** Ends the agent, whose input has ended: whoever hasn't ended by itself when that was read is killed. */
  async #terminate(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.#exit(null, 'SIGTERM');
  }

  #exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#end.signal.aborted) {
      return;
    }
    this.#end.abort();
    const closed = [this.stdout, this.stderr].map(
      (stream) => new Promise((resolve) => stream.once('close', resolve)),
    );
    this.stdin.destroy();
    this.stdout.end();
    this.stderr.end();
    this.emit('exit', code, signal);
    void Promise.all(closed).then(() => this.emit('close', code, signal));
  }
}
