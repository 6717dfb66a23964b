import type { SessionInfo } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { comparablePath } from '../files/paths';
import type { KeyedStorage, RealPath, Workspace, WorkspaceFolder } from '../ports';
import { type FolderIsGone, GoneFolders } from './goneFolders';
import { MovedFolders } from './movedFolders';
import { SessionRoots } from './sessionRoots';
import type { Worktree } from './worktrees';

/** The additional folders of a new session. */
export const extraFolders = ['none', 'workspaceFolders'] as const;
export type ExtraFolders = (typeof extraFolders)[number];

export interface SessionPlacesOptions {
  readonly storage: KeyedStorage;
  readonly workspace: Workspace;
  readonly settings: { readonly additionalDirectories: ExtraFolders };
  readonly folderIsGone: FolderIsGone;
  readonly realPath: RealPath;
  /** The worktrees of the workspace's repositories, as far as they are shown to the user. */
  readonly worktrees: {
    below(folder: WorkspaceFolder): readonly { readonly path: string }[];
    at(folder: string): Worktree | undefined;
  };
}

/**
 * The folders that sessions are created and opened with: their current locations, and the
 * additional ones.
 */
export class SessionPlaces implements Disposable {
  readonly #options: SessionPlacesOptions;
  readonly #store = new DisposableStore();
  readonly #roots: SessionRoots;
  readonly moved: MovedFolders;
  readonly gone: GoneFolders;

  constructor(options: SessionPlacesOptions) {
    this.#options = options;
    this.#roots = new SessionRoots(options.storage);
    this.moved = this.#store.add(new MovedFolders(options.storage));
    this.gone = this.#store.add(new GoneFolders(options.folderIsGone));
  }

  /**
   * The session with the current locations of the folders to open it with. The additional ones are
   * those that the agent reports, otherwise those that the session was created with (DIR-4, DIR-8).
   */
  placed(agentId: string, info: SessionInfo): SessionInfo {
    const reported = info.additionalDirectories;
    return {
      ...info,
      cwd: this.moved.getPlace(agentId, info.cwd),
      additionalDirectories:
        reported.length > 0
          ? reported.map((root) => this.moved.getPlace(agentId, root))
          : this.keptRoots(agentId, info.sessionId),
    };
  }

  /**
   * What an agent may reach because the user chose it: the window's folders and their worktrees,
   * the folders that the user located, and the additional ones that this session was created with.
   * Folders that only the agent names aren't included.
   */
  chosen(agentId: string, sessionId: string): readonly string[] {
    const { workspace, worktrees } = this.#options;
    return [
      ...workspace.folders.flatMap((folder) => [folder, ...worktrees.below(folder)]),
      ...this.moved.chosen(agentId).map((path) => ({ path })),
      ...this.keptRoots(agentId, sessionId).map((path) => ({ path })),
    ].map(({ path }) => path);
  }

  /** The worktree beside a main one that this folder is, with its branch. */
  worktreeAt(folder: string): Worktree | undefined {
    return this.#options.worktrees.at(folder);
  }

  /** The current locations of the additional folders that a session was created with here. */
  keptRoots(agentId: string, sessionId: string): readonly string[] {
    return this.#roots.of(agentId, sessionId).map((root) => this.moved.getPlace(agentId, root));
  }

  get workspace(): Workspace {
    return this.#options.workspace;
  }

  get realPath(): RealPath {
    return this.#options.realPath;
  }

  /**
   * Rejects with `folderGone` if the folder is missing: agents would fail there, each in its own
   * way.
   */
  async mustBeThere(folder: string): Promise<void> {
    if (await this.gone.check(folder)) {
      throw new AcpError('folderGone', `The folder ${folder} does not exist`, {
        missingFolder: folder,
      });
    }
  }

  /**
   * The additional folders of a new session in this folder: the other workspace folders, if the
   * setting asks for them and the folder is itself a workspace folder (DIR-5, DIR-6).
   */
  rootsFor(cwd: string): readonly string[] {
    const { workspace, settings } = this.#options;
    const own = comparablePath(cwd);
    const folders = workspace.folders.map(({ path }) => path);
    const isOne = folders.some((folder) => comparablePath(folder) === own);
    return isOne && workspace.trusted && settings.additionalDirectories === 'workspaceFolders'
      ? folders.filter((folder) => comparablePath(folder) !== own)
      : [];
  }

  /** Remembers the additional folders that a session was created with. */
  async keepRoots(
    agentId: string,
    { sessionId, additionalDirectories }: SessionInfo,
  ): Promise<void> {
    await this.#roots.keep(agentId, sessionId, additionalDirectories);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
