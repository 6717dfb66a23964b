import { type ChildProcess, fork } from 'node:child_process';
import { inProject } from '../support/project';
import { budgets } from './budgets';
import type { CheckOrder, Done, Offered, Ready } from './workerMessages';

/** The outcome of one check. */
export interface CheckOutcome {
  readonly part: string;
  readonly name: string;
  readonly seed: number;
  readonly note: string;
  readonly failure?: string;
  /** Bytes; of all checks that ran in the same process. */
  readonly peak: number;
  readonly stretch: number;
}

/** Runs checks in separate processes with a small heap, and kills those that hang. */
export class Runner {
  readonly #program = inProject('out/soak/worker.main.mjs');
  #worker: Worker | undefined;

  /** All available checks. */
  async offered(): Promise<readonly Offered[]> {
    return (await this.#ready()).checks;
  }

  /** `fresh`: in a process that has run nothing before, so that the peak is this check's alone. */
  async run(
    check: Offered,
    seed: number,
    small: boolean,
    { fresh = false, minutes = 0 } = {},
  ): Promise<CheckOutcome> {
    if (fresh) {
      await this.dispose();
    }
    const { part, name, lasts, seconds } = check;
    const worker = await this.#ready();
    const longest = seconds + (lasts ? minutes * 60 : 0);
    const done = await worker.ask({ part, name, seed, small, minutes }, longest);
    if (done.peak === 0 || done.failure !== undefined) {
      // What the failed check left behind must not affect the next one.
      await this.dispose();
    }
    const { note, failure, peak, stretch } = done;
    return { part, name, seed, note, peak, stretch, ...(failure !== undefined && { failure }) };
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.end();
  }

  async #ready(): Promise<Worker> {
    this.#worker ??= await Worker.start(this.#program);
    return this.#worker;
  }
}

class Worker {
  readonly checks: readonly Offered[];
  readonly #child: ChildProcess;
  readonly #exited: Promise<string>;
  #stderr = '';

  private constructor(child: ChildProcess, checks: readonly Offered[], exited: Promise<string>) {
    this.#child = child;
    this.checks = checks;
    this.#exited = exited;
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.toString()).slice(-4000);
    });
  }

  static async start(program: string): Promise<Worker> {
    const child = fork(program, {
      execArgv: [`--max-old-space-size=${budgets.heap}`, '--expose-gc', '--enable-source-maps'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      // A separate process group, so that everything that the checks start ends with it.
      detached: true,
    });
    const exited = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 0}`));
    });
    const ready = await Promise.race([
      new Promise<Ready>((resolve) => {
        child.once('message', (message: Ready) => resolve(message));
      }),
      exited.then((how) => {
        throw new Error(`The process for the checks ended with ${how} before it began`);
      }),
    ]);
    return new Worker(child, ready.checks, exited);
  }

  /** Orders a check. Never rejects: if the process dies or hangs, that is the check's outcome. */
  async ask(order: CheckOrder, seconds: number): Promise<Done> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Done>((resolve) => {
      timer = setTimeout(
        () => resolve(broken(`hangs: no end after ${seconds} s. ${this.#stderr.slice(-600)}`)),
        seconds * 1000,
      );
    });
    const answered = new Promise<Done>((resolve) => {
      this.#child.once('message', (message: Done) => resolve(message));
    });
    this.#child.send(order);
    const ended = this.#exited.then((how) => broken(this.#causeOf(how)));
    try {
      return await Promise.race([answered, ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        this.#child.kill('SIGKILL');
      }
    }
    await this.#exited;
  }

  #causeOf(how: string): string {
    return /heap out of memory|Allocation failed/.test(this.#stderr)
      ? `runs out of memory: more than ${budgets.heap} MiB of heap`
      : `its process ends with ${how}: ${this.#stderr.slice(-300)}`;
  }
}

function broken(failure: string): Done {
  return { type: 'done', note: '', failure, peak: 0, stretch: 0 };
}
