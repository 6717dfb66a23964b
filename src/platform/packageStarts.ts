import { createHash, randomBytes } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type StartPlace, startPlace } from '../model/agents/startPlace';
import { FileLock, sweepLocks } from '../model/files/fileLock';
import type { AgentConfig } from '../model/ports';
import type { Transport } from '../protocol/agentTransport';
import { DisposableStore, toDisposable } from '../util/disposable';
import type { PackageRun } from '../util/process/packageRunners';

/**
 * What package managers look for in the folder where they start, then in those above: each says nothing, and ends the
 * search. Written anew for each start, since an agent may have changed them.
 */
const silentFiles: readonly (readonly [name: string, text: string])[] = [
  ['package.json', '{ "private": true }\n'],
  ['.npmrc', ''],
  ['pnpm-workspace.yaml', ''],
  ['bunfig.toml', ''],
  ['uv.toml', ''],
];

const usualTimes = {
  /** Pause between two looks at a lock that another start holds, and at whether a program is still fetched. */
  lookMs: 200,
  /** A start that takes longer no longer keeps others waiting. */
  maxStartMs: 5 * 60_000,
};

interface Turn {
  readonly signal: AbortSignal;
  /** Called with `true` when another start is waited for, and with `false` when it no longer is. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/**
 * Starts of commands that fetch a package, in all windows of this machine: in a folder outside of every project, and
 * one at a time for each package, because npm's cache breaks otherwise (https://github.com/npm/cli/issues/8224).
 */
export class PackageStarts {
  /** The folder in which they start. */
  readonly folder: string;
  readonly #locks: string;
  readonly #times: typeof usualTimes;

  /** `storage`: a folder of this extension. */
  constructor(storage: string, times = usualTimes) {
    this.folder = path.join(storage, 'launch');
    this.#locks = path.join(storage, 'launchLocks');
    this.#times = times;
  }

  /** The folder where the agent starts, see `startPlace`; the folder for packages is there then. */
  async getPlace(
    config: Pick<AgentConfig, 'command' | 'args' | 'cwd'>,
    folder: string | undefined,
  ): Promise<StartPlace> {
    const place = startPlace(config, folder, this.folder);
    if (place.cwd === this.folder) {
      await this.#prepare();
    }
    return place;
  }

  async #prepare(): Promise<void> {
    // The start says if it isn't there.
    await mkdir(this.folder, { recursive: true }).catch(() => undefined);
    const isThere = await stat(this.folder).then(
      () => true,
      () => false,
    );
    for (const [name, text] of isThere ? silentFiles : []) {
      await writeFile(path.join(this.folder, name), text);
    }
  }

  /**
   * Starts a program once no other start fetches the same package, but after some minutes in any case. Rejects with the
   * signal's reason.
   */
  async inTurn(run: PackageRun, { signal, onWaiting }: Turn, start: () => Transport) {
    const lock = await this.#acquireLock(run);
    const waits = await this.#take(lock, signal, onWaiting);
    if (waits) {
      onWaiting?.(false);
    }
    try {
      signal.throwIfAborted();
      const transport = start();
      this.#releaseWhenFetched(lock, transport);
      return transport;
    } catch (error) {
      lock?.dispose();
      throw error;
    }
  }

  async #acquireLock({ key }: PackageRun): Promise<FileLock | undefined> {
    try {
      await mkdir(this.#locks, { recursive: true });
      const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
      sweepLocks(this.#locks, name);
      return new FileLock(path.join(this.#locks, name), randomBytes(8).toString('hex'));
    } catch {
      // Where nothing can be written, nobody waits.
      return undefined;
    }
  }

  /** Resolves to whether it had to wait. */
  async #take(
    lock: FileLock | undefined,
    signal: AbortSignal,
    onWaiting: Turn['onWaiting'],
  ): Promise<boolean> {
    const { lookMs, maxStartMs } = this.#times;
    const began = performance.now();
    let waits = false;
    while (lock?.take() === 'busy' && performance.now() - began < maxStartMs) {
      if (!waits) {
        waits = true;
        onWaiting?.(true);
      }
      try {
        await pause(lookMs, undefined, { signal });
      } catch (error) {
        lock.dispose();
        throw error;
      }
    }
    return waits;
  }

  /** A program that prints anything, or that its command has started or given up, is fetched no more. */
  #releaseWhenFetched(lock: FileLock | undefined, transport: Transport): void {
    if (lock === undefined) {
      return;
    }
    const { lookMs, maxStartMs } = this.#times;
    const store = new DisposableStore();
    store.add(toDisposable(() => lock.dispose()));
    const release = (): void => store.dispose();
    store.add(transport.onData(release));
    store.add(transport.onEnd(release));
    const longest = setTimeout(release, maxStartMs);
    store.add(toDisposable(() => clearTimeout(longest)));
    const isFetching = transport.isFetching?.bind(transport);
    let looks = false;
    const look = async (): Promise<void> => {
      if (!looks && isFetching !== undefined) {
        looks = true;
        if (!(await isFetching())) {
          release();
        }
        looks = false;
      }
    };
    const looking = setInterval(() => void look().catch(release), lookMs);
    store.add(toDisposable(() => clearInterval(looking)));
  }
}
