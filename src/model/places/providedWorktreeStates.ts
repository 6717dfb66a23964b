import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';

/** How far the branch of a worktree is. */
export interface WorktreeState {
  /** `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  /** The branch that it began with; `undefined` if it began at a commit. */
  readonly base: string | undefined;
  /** Commits that the base doesn't have. */
  readonly ahead: number;
  /** Commits of the base that it doesn't have. */
  readonly behind: number;
  /** Files with changes that aren't committed, new ones too. */
  readonly uncommitted: number;
  /** Whether it had commits of its own, and the base, here or at its remote, has all that they changed. */
  readonly isMerged: boolean;
}

/** The states of worktrees, as they were last read. */
export interface WorktreeStates {
  /** `undefined` if it wasn't read yet. */
  of(folder: string): WorktreeState | undefined;
  /** Reads it if it isn't known. Never rejects. `undefined`: there is nothing to wait for. */
  ready(folder: string): Promise<void> | undefined;
  /** Fires with the folder of the worktree whose state has changed. */
  readonly onDidChange: Event<string>;
}

/** The states, for code that only shows them: there are none until a feature provides them. */
export class ProvidedWorktreeStates implements WorktreeStates, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<string>());
  readonly onDidChange = this.#changed.event;
  #current: WorktreeStates | undefined;

  provide(states: WorktreeStates): void {
    this.#current = states;
    this.#store.add(states.onDidChange((folder) => this.#changed.fire(folder)));
  }

  of(folder: string): WorktreeState | undefined {
    return this.#current?.of(folder);
  }

  ready(folder: string): Promise<void> | undefined {
    return this.#current?.ready(folder);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
