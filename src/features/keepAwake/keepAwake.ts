import type { Log } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { type StartedProcess, startProcess } from '../../util/process/startProcess';
import type { AwakeProgram } from './awakeProgram';

const graceMs = 500;

type AtWork = {
  readonly turns: Pick<Session['turns'], 'current'>;
  readonly requests: Pick<Session['requests'], 'waiting'>;
};

export interface KeepAwakeServices {
  readonly sessions: { readonly all: readonly AtWork[]; readonly onDidChange: Event<unknown> };
  readonly settings: { readonly isOn: boolean; readonly onDidChange: Event<void> };
  readonly findProgram: () => Promise<AwakeProgram | undefined>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Keeps the computer awake while an agent works, and lets it sleep while all of them wait for the user. */
export class KeepAwake implements Disposable {
  readonly #services: KeepAwakeServices;
  readonly #store = new DisposableStore();
  /** What keeps it awake; `starting` while its program is looked for. */
  #held: StartedProcess | 'starting' | undefined;
  /** Whether it can't be kept awake, which the log has said. */
  #hasFailed = false;
  #isDisposed = false;

  constructor(services: KeepAwakeServices) {
    this.#services = services;
    const { sessions, settings } = services;
    this.#store.add(sessions.onDidChange(() => this.#update()));
    this.#store.add(
      settings.onDidChange(() => {
        this.#hasFailed = false;
        this.#update();
      }),
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
    this.#update();
  }

  get #isWanted(): boolean {
    const { sessions, settings } = this.#services;
    return !this.#isDisposed && settings.isOn && sessions.all.some(isAtWork);
  }

  #update(): void {
    const held = this.#held;
    if (held === undefined && this.#isWanted && !this.#hasFailed) {
      this.#held = 'starting';
      void this.#start();
    } else if (held !== undefined && held !== 'starting' && !this.#isWanted) {
      this.#held = undefined;
      held.child.stdin?.end();
      void held.tree?.terminate().finally(() => held.tree?.dispose());
    }
  }

  async #start(): Promise<void> {
    const program = await this.#services.findProgram().catch(() => undefined);
    this.#held = undefined;
    if (!this.#isWanted) {
      return;
    }
    if (program === undefined) {
      this.#fail('there is no program for that');
      return;
    }
    try {
      const started = startProcess({
        ...{ ...program, cwd: undefined, environments: [], stdin: 'pipe', graceMs },
      });
      this.#held = started;
      this.#watch(started);
    } catch (error) {
      this.#fail(String(error));
    }
  }

  #watch(started: StartedProcess): void {
    const { child } = started;
    // The pipe of a program that has ended is gone, too.
    child.stdin?.on('error', () => undefined);
    child.stdout?.resume();
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 500);
    });
    child.once('error', (error) => this.#ended(started, error.message));
    child.once('close', (code) => this.#ended(started, `its program ended with ${code}: ${said}`));
    this.#services.log.info('The computer is kept awake while an agent works');
  }

  /** The program has ended; not by us, if it is still the one that keeps the computer awake. */
  #ended(started: StartedProcess, why: string): void {
    if (this.#held === started) {
      this.#held = undefined;
      started.tree?.dispose();
      this.#fail(why);
    }
  }

  /** It isn't tried again until the setting has changed. */
  #fail(why: string): void {
    this.#hasFailed = true;
    this.#services.log.warn(`The computer can’t be kept awake: ${why}`);
  }
}

/** A turn that only waits for the user may wait for the night: the computer may sleep. */
function isAtWork({ turns, requests }: AtWork): boolean {
  const { current } = turns;
  return current.kind !== 'idle' && !current.waits && requests.waiting.length === 0;
}
