import type { SessionInfo } from '../protocol/agentConnection';
import { comparablePath } from './paths';
import type { KeyedStorage, Workspace } from './ports';
import { SessionRoots } from './sessionRoots';

/** Which further folders a new session gets. */
export const extraFolders = ['none', 'workspaceFolders'] as const;
export type ExtraFolders = (typeof extraFolders)[number];

export interface SessionPlacesOptions {
  readonly storage: KeyedStorage;
  readonly workspace: Workspace;
  readonly settings: { readonly additionalDirectories: ExtraFolders };
}

/** Which folders sessions are made and opened with. */
export class SessionPlaces {
  readonly #options: SessionPlacesOptions;
  readonly #roots: SessionRoots;

  constructor(options: SessionPlacesOptions) {
    this.#options = options;
    this.#roots = new SessionRoots(options.storage);
  }

  /** The session with the folders to open it with: those that the agent reports, else those it was made with (DIR-4, DIR-8). */
  placed(agentId: string, info: SessionInfo): SessionInfo {
    const additionalDirectories =
      info.additionalDirectories.length > 0
        ? info.additionalDirectories
        : this.#roots.of(agentId, info.sessionId);
    return additionalDirectories.length === 0 ? info : { ...info, additionalDirectories };
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
}
