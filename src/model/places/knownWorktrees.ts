import { DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';
import { comparablePath } from '../files/paths';
import type { RealPath, Workspace, WorkspaceFolder } from '../ports';
import { readOwnWorktree, readWorktrees, type Worktree } from './worktrees';

export interface KnownWorktreesOptions {
  readonly workspace: Workspace;
  readonly realPath: RealPath;
  readonly settings: {
    readonly showsWorktrees: boolean;
    readonly onDidChangeShowsWorktrees: Event<void>;
  };
}

/** What is known of the repository of a workspace folder. */
interface Known {
  readonly others: readonly Worktree[];
  /** The worktrees by comparable path, with the repository's own. */
  readonly all: ReadonlyMap<string, Worktree>;
}

const nothing: Known = { others: [], all: new Map() };

/** The worktrees listed below a workspace folder: the other worktrees of its repository. */
export class KnownWorktrees {
  readonly #options: KnownWorktreesOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  /** The worktrees by workspace folder path; only the folders that were asked about. */
  readonly #worktrees = new Map<string, Known>();

  constructor(options: KnownWorktreesOptions) {
    this.#options = options;
    const { settings } = options;
    this.#store.add(settings.onDidChangeShowsWorktrees(() => this.#changed.fire()));
  }

  /**
   * Each worktree is listed below one workspace folder only, and not if it is a workspace folder
   * itself. Worktrees that aren't known yet are read in the background; `onDidChange` reports them.
   */
  below({ path }: WorkspaceFolder): readonly Worktree[] {
    const { workspace, settings } = this.#options;
    if (!settings.showsWorktrees) {
      return [];
    }
    const taken = new Set(workspace.folders.map((folder) => comparablePath(folder.path)));
    for (const folder of workspace.folders) {
      const { others } = this.#known(folder.path);
      const own = others.filter((tree) => !taken.has(comparablePath(tree.path)));
      if (folder.path === path) {
        return own;
      }
      for (const tree of own) {
        taken.add(comparablePath(tree.path));
      }
    }
    return [];
  }

  /** The worktree beside a main one that is this folder, if a repository of the workspace has it. */
  at(place: string): Worktree | undefined {
    const wanted = comparablePath(place);
    for (const { path } of this.#options.workspace.folders) {
      const found = this.#known(path).all.get(wanted);
      if (found !== undefined) {
        return found.isMain ? undefined : found;
      }
    }
    return undefined;
  }

  /** Reads again the worktrees of all folders that were asked about. */
  async refresh(): Promise<void> {
    const open = new Set(this.#options.workspace.folders.map(({ path }) => path));
    const known = [...this.#worktrees.keys()];
    for (const path of known.filter((folder) => !open.has(folder))) {
      this.#worktrees.delete(path);
    }
    await Promise.all(known.filter((path) => open.has(path)).map((path) => this.#read(path)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #known(path: string): Known {
    const known = this.#worktrees.get(path);
    if (known === undefined) {
      this.#worktrees.set(path, nothing);
      void this.#read(path);
    }
    return known ?? nothing;
  }

  async #read(path: string): Promise<void> {
    const { realPath } = this.#options;
    const [own, others] = await Promise.all([
      readOwnWorktree(path, realPath),
      readWorktrees(path, realPath),
    ]);
    const trees = [...(own === undefined ? [] : [own]), ...others];
    const all = new Map(trees.map((tree) => [comparablePath(tree.path), tree]));
    const before = this.#worktrees.get(path) ?? nothing;
    if (JSON.stringify(trees) !== JSON.stringify([...before.all.values()])) {
      this.#worktrees.set(path, { others, all });
      this.#changed.fire();
    }
  }
}
