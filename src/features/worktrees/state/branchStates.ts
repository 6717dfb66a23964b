import * as vscode from 'vscode';
import { comparablePath } from '../../../model/files/paths';
import type { WorktreeState, WorktreeStates } from '../../../model/places/providedWorktreeStates';
import { findRepository } from '../../../model/places/repository';
import type { Session } from '../../../model/session/session';
import { gitProgram } from '../../../platform/gitProgram';
import { mapAtOnce } from '../../../util/async';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import { readBranchState } from '../model/branchState';
import { WorktreeTrouble } from '../model/trouble';
import { WorktreeGit } from '../model/worktreeGit';
import type { WorktreeServices } from '../worktreeServices';

type StateServices = Pick<
  WorktreeServices,
  'workspace' | 'realPath' | 'sessions' | 'worktrees' | 'log'
>;

const limits = { readMs: 10_000, workMs: 10_000 };
const readAtOnce = 2;

/**
 * The states of worktrees: of open sessions when they are opened, when a turn ends, and when the window gets the focus;
 * of others when they are asked for. Nothing is read in between.
 */
export class BranchStates implements WorktreeStates, Disposable {
  readonly #services: StateServices;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<string>());
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, WorktreeState>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Those that have to be read once more, because something has happened since that began. */
  readonly #again = new Set<string>();
  readonly #atWork = new WeakMap<Session, boolean>();
  readonly #end = new AbortController();

  constructor(services: StateServices) {
    this.#services = services;
    this.#store.add(services.sessions.onDidChange((session) => this.#note(session)));
    this.#store.add(services.worktrees.onDidChange(() => void this.refresh()));
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          void this.refresh();
        }
      }),
    );
  }

  of(folder: string): WorktreeState | undefined {
    return this.#known.get(comparablePath(folder));
  }

  ready(folder: string): Promise<void> | undefined {
    return this.of(folder) === undefined ? this.read(folder) : undefined;
  }

  /** Reads the worktrees of open sessions again, and forgets the others, which may have changed. */
  async refresh(): Promise<void> {
    const open = [...new Set(this.#services.sessions.all.map(({ info }) => info.cwd))];
    const kept = new Set(open.map(comparablePath));
    for (const folder of this.#known.keys()) {
      if (!kept.has(folder)) {
        this.#known.delete(folder);
      }
    }
    await mapAtOnce(open, readAtOnce, async (folder) => this.read(folder));
  }

  /** Reads the state of a worktree beside the main one, if it is one. Never rejects. */
  read(folder: string): Promise<void> | undefined {
    const { workspace, worktrees } = this.#services;
    if (!workspace.trusted || worktrees.at(folder) === undefined) {
      return undefined;
    }
    const key = comparablePath(folder);
    const running = this.#reading.get(key);
    if (running !== undefined) {
      this.#again.add(key);
      return running;
    }
    const reading = this.#read(folder, key).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  dispose(): void {
    this.#end.abort();
    this.#store.dispose();
  }

  /** A session was opened, or its turn has ended. */
  #note(session: Session): void {
    const isBusy = session.turns.current.kind !== 'idle';
    const before = this.#atWork.get(session);
    this.#atWork.set(session, isBusy);
    if (before === undefined || (before && !isBusy)) {
      void this.read(session.info.cwd);
    }
  }

  async #read(folder: string, key: string): Promise<void> {
    do {
      this.#again.delete(key);
      const state = await this.#readOnce(folder);
      const isSame = JSON.stringify(state) === JSON.stringify(this.#known.get(key));
      if (state === undefined) {
        this.#known.delete(key);
      } else {
        this.#known.set(key, state);
      }
      if (!isSame && !this.#end.signal.aborted) {
        this.#changed.fire(folder);
      }
    } while (this.#again.has(key) && !this.#end.signal.aborted);
  }

  async #readOnce(folder: string): Promise<WorktreeState | undefined> {
    const { realPath, log } = this.#services;
    try {
      const git = new WorktreeGit({ program: gitProgram, limits }, '', this.#end.signal);
      const place = await git.disk(findRepository(folder, realPath), folder);
      return place && (await readBranchState(git, place));
    } catch (error) {
      if (!(error instanceof WorktreeTrouble)) {
        log.component('worktrees').error(getStack(error));
      } else if (error.problem !== 'cancelled') {
        log.component('worktrees').info(`The branch in ${folder}: ${error.message}`);
      }
      return undefined;
    }
  }
}
