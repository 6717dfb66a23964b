import type { Disposable } from '../../../util/disposable';
import { findProgram } from '../../../util/process/findProgram';
import { type StartedProcess, startProcess } from '../../../util/process/startProcess';
import {
  type Notice,
  type NoticeProgram,
  type NoticeSystem,
  noticePrograms,
} from './noticePrograms';

/** A notice that the system has taken. */
export interface ShownNotice {
  /** Resolves when it is gone, or can't be clicked on any more; whether the user clicked on it. */
  readonly clicked: Promise<boolean>;
}

/** All in milliseconds. */
interface Limits {
  /** Time limit for a notice to be shown. */
  readonly toShow: number;
  /** Time limit for a click on it. */
  readonly toWait: number;
  /** Least time from one notice to the next. */
  readonly between: number;
}

const usual: Limits = { toShow: 10_000, toWait: 3_600_000, between: 5_000 };
const graceMs = 500;
/** Maximum length of what is printed; a number and the name of an action need less. */
const maxPrintedLength = 1_000;

/** Shows notices of the operating system; one process at a time for each kind of notice. */
export class SystemNotices implements Disposable {
  readonly #system: Omit<NoticeSystem, 'find'>;
  readonly #limits: Limits;
  /** The kinds of notice that are being shown. */
  readonly #starting = new Set<string>();
  readonly #running = new Map<string, StartedProcess>();
  #lastAt = -Infinity;
  /** How many of the programs this system's version has refused. */
  #refused = 0;

  constructor(system: Omit<NoticeSystem, 'find'>, limits = usual) {
    this.#system = system;
    this.#limits = limits;
  }

  /** `undefined` if the system can't show it, or was asked to show another one just now. */
  async show(kind: string, notice: Notice): Promise<ShownNotice | undefined> {
    const now = performance.now();
    if (now - this.#lastAt < this.#limits.between || this.#starting.has(kind)) {
      return undefined;
    }
    this.#lastAt = now;
    this.#starting.add(kind);
    try {
      // The one before stays on screen, but a click on it leads nowhere from now on.
      await this.#running.get(kind)?.tree?.terminate();
      return await this.#show(kind, notice);
    } finally {
      this.#starting.delete(kind);
    }
  }

  dispose(): void {
    this.withdraw();
  }

  /** Ends what runs, and takes back the notices that wait for a click. */
  withdraw(): void {
    for (const { child, tree } of this.#running.values()) {
      // Upon SIGINT, newer versions of `notify-send` close their notice.
      child.kill('SIGINT');
      void tree?.terminate('patient');
    }
  }

  async #show(kind: string, notice: Notice): Promise<ShownNotice | undefined> {
    const programs = await noticePrograms(notice, {
      ...this.#system,
      find: (name) => findProgram(name, [this.#system.environment['PATH']]),
    });
    for (const [index, program] of programs.entries()) {
      const { end, output } =
        index < this.#refused ? refused : await this.#run(kind, program, this.#limits.toShow);
      if (end === 'done') {
        this.#refused = index;
        return { clicked: this.#untilClick(kind, program, output) };
      }
      if (end === 'ended') {
        break;
      }
    }
    return undefined;
  }

  /** `output` has the number of the notice, which is 0 if it is none. */
  async #untilClick(kind: string, program: NoticeProgram, output: string): Promise<boolean> {
    const [number] = /^[1-9]\d*$/m.exec(output) ?? [];
    if (program.untilClick === undefined || number === undefined) {
      return false;
    }
    const waiting = { ...program, args: program.untilClick(number) };
    const clicked = await this.#run(kind, waiting, this.#limits.toWait).catch(() => refused);
    return clicked.output.split('\n').includes('default');
  }

  /** Runs a program to its end, or ends it after the time limit. */
  async #run(
    kind: string,
    { command, args, environment }: NoticeProgram,
    limitMs: number,
  ): Promise<Ran> {
    let started: StartedProcess;
    try {
      started = startProcess({
        ...{ command, args, cwd: undefined, environments: [environment] },
        ...{ stdin: 'ignore', graceMs },
      });
    } catch {
      return refused;
    }
    this.#running.set(kind, started);
    const ran = await getOutcome(started, limitMs);
    started.tree?.dispose();
    if (this.#running.get(kind) === started) {
      this.#running.delete(kind);
    }
    return ran;
  }
}

/** What became of a program; `ended`: by us. */
interface Ran {
  readonly end: 'done' | 'refused' | 'ended';
  readonly output: string;
}

const refused: Ran = { end: 'refused', output: '' };

/** Ends a program after the time limit. */
function getOutcome({ child, tree }: StartedProcess, limitMs: number): Promise<Ran> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void tree?.terminate();
  }, limitMs);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text.slice(0, maxPrintedLength - output.length);
  });
  child.stderr?.resume();
  const outcome = new Promise<Ran>((resolve) => {
    child.once('error', () => resolve(refused));
    child.once('close', (code) => {
      const isEnded = isLate || code === null;
      resolve({ end: isEnded ? 'ended' : code === 0 ? 'done' : 'refused', output });
    });
  });
  return outcome.finally(() => clearTimeout(timer));
}
