import type { KnownWorktrees } from '../../../model/places/knownWorktrees';
import type { SessionPlaces } from '../../../model/places/sessionPlaces';
import type { Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';

/**
 * The folders shown below a workspace folder, besides its own sessions: other worktrees, and
 * folders that moved there.
 */
export class TreeFolders implements Disposable {
  readonly #worktrees: KnownWorktrees;
  readonly #places: SessionPlaces;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(worktrees: KnownWorktrees, places: SessionPlaces) {
    this.#worktrees = worktrees;
    this.#places = places;
    this.#store.add(worktrees.onDidChange(() => this.#changed.fire()));
    this.#store.add(places.moved.onDidChange(() => this.#changed.fire()));
  }

  below(folder: WorkspaceFolder): readonly Worktree[] {
    return this.#worktrees.below(folder);
  }

  /** The paths that an agent still has for a folder that is now at this path. */
  movedTo(agentId: string, { path }: WorkspaceFolder): readonly string[] {
    return this.#places.moved.movedTo(agentId, path);
  }

  /** Checks worktrees and missing folders on the disk again. */
  async refresh(): Promise<void> {
    await Promise.all([this.#worktrees.refresh(), this.#places.gone.refresh()]);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
