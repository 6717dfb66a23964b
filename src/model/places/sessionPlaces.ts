import type { SessionInfo } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { comparablePath } from '../files/paths';
import type { KeyedStorage, RealPath, Workspace, WorkspaceFolder } from '../ports';
import { SessionRoots } from '../requests/sessionRoots';
import { type FolderIsGone, GoneFolders } from './goneFolders';
import { MovedFolders } from './movedFolders';

/** Which further folders a new session gets. */
export const extraFolders = ['none', 'workspaceFolders'] as const;
export type ExtraFolders = (typeof extraFolders)[number];

export interface SessionPlacesOptions {
  readonly storage: KeyedStorage;
  readonly workspace: Workspace;
  readonly settings: { readonly additionalDirectories: ExtraFolders };
  readonly folderIsGone: FolderIsGone;
  readonly realPath: RealPath;
  /** The work trees of the workspace's repositories, as far as a person is shown them. */
  readonly worktrees: { below(folder: WorkspaceFolder): readonly { readonly path: string }[] };
}

/** Which folders sessions are made and opened with: where they are now, and which others go along. */
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
   * The session with the folders to open it with, where they are now; the further ones are those that the
   * agent reports, else those it was made with (DIR-4, DIR-8).
   */
  placed(agentId: string, info: SessionInfo): SessionInfo {
    const reported = info.additionalDirectories;
    return {
      ...info,
      cwd: this.moved.placeOf(agentId, info.cwd),
      additionalDirectories:
        reported.length > 0
          ? reported.map((root) => this.moved.placeOf(agentId, root))
          : this.keptRoots(agentId, info.sessionId),
    };
  }

  /**
   * What an agent may reach because a person has chosen it: the window's folders with their work trees, those
   * that they have located, and the further ones that this session was made with. An agent's word is none of it.
   */
  chosen(agentId: string, sessionId: string): readonly string[] {
    const { workspace, worktrees } = this.#options;
    return [
      ...workspace.folders.flatMap((folder) => [folder, ...worktrees.below(folder)]),
      ...this.moved.chosen(agentId).map((path) => ({ path })),
      ...this.keptRoots(agentId, sessionId).map((path) => ({ path })),
    ].map(({ path }) => path);
  }

  /** The further folders that a session was made with here, where they are now. */
  keptRoots(agentId: string, sessionId: string): readonly string[] {
    return this.#roots.of(agentId, sessionId).map((root) => this.moved.placeOf(agentId, root));
  }

  get workspace(): Workspace {
    return this.#options.workspace;
  }

  get realPath(): RealPath {
    return this.#options.realPath;
  }

  /** Rejects with `folderGone` where nothing is: an agent would fail there, each in its own way. */
  async mustBeThere(folder: string): Promise<void> {
    if (await this.gone.check(folder)) {
      throw new AcpError('folderGone', `${folder} is not there`, { missingFolder: folder });
    }
  }

  /**
   * What a new session in this folder gets besides it: the other folders of the workspace, if a person has
   * chosen so, and only in one of them (DIR-5, DIR-6).
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

  /** A session was made with these. */
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
