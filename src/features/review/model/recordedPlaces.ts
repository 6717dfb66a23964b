import type { Agents } from '../../../model/agents/agents';
import { mayResolve } from '../../../model/files/paths';
import { realPathOfNew } from '../../../model/files/roots';
import type { SessionPlaces } from '../../../model/places/sessionPlaces';
import type { RealPath } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { isElsewhere } from '../../../util/elsewhere';
import { Emitter, type Event } from '../../../util/emitter';

export interface RecordedPlacesOptions {
  readonly agents: Pick<Agents, 'lists' | 'get' | 'onDidList' | 'onDidChange'>;
  readonly sessions: Pick<Sessions, 'all' | 'find'> & { readonly onDidChange: Event<Session> };
  readonly places: Pick<SessionPlaces, 'workspace' | 'moved'>;
  readonly worktrees: {
    below(folder: { readonly name: string; readonly path: string }): readonly { path: string }[];
    readonly onDidChange: Event<void>;
  };
  readonly realPath: RealPath;
}

/** Folders that are looked at, the workspace's first, then those of the newest sessions. */
const maxFolders = 1_000;
/** Events within this time, in ms, are looked at together. */
const pause = 200;

/**
 * The folders whose sessions' records belong to this window: those of the workspace, its worktrees, and that of each
 * session that is listed or open, wherever it is.
 */
export class RecordedPlaces implements Disposable {
  readonly #options: RecordedPlacesOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when there is a folder that wasn't among them before. */
  readonly onDidChange = this.#changed.event;
  /** Real paths by the path that names them. */
  readonly #real = new Map<string, string>();
  /** The folders, as they were named when they were last looked at. */
  #known: ReadonlySet<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RecordedPlacesOptions) {
    this.#options = options;
    const { agents, sessions, worktrees, places } = options;
    const look = (): void => this.#lookSoon();
    this.#store.add(agents.onDidList(look));
    this.#store.add(agents.onDidChange(look));
    this.#store.add(worktrees.onDidChange(look));
    this.#store.add(places.workspace.onDidChange(look));
    this.#store.add(
      sessions.onDidChange(({ roots: [folder] }) => {
        if (folder !== undefined && !this.#known.has(folder)) {
          this.#lookSoon();
        }
      }),
    );
  }

  /** The folders as they are named, and as they really are if that is known. */
  folders(): readonly string[] {
    const own = this.#options.places.workspace.folders.map(({ path }) => path);
    return [...new Set([...own, ...this.#known, ...this.#real.values()])];
  }

  /** The folders' real paths; of one that is gone, what it would be. */
  async real(): Promise<readonly string[]> {
    const named = this.#named();
    this.#known = named;
    const real = await Promise.all([...named].map((folder) => this.#resolve(folder)));
    return [...new Set(real)];
  }

  /** The real path of the folder of a session that is listed or open, as far as it is known. */
  findFolder(agentId: string, sessionId: string): string | undefined {
    const { agents, sessions } = this.#options;
    const row = agents.lists
      .filter(({ agent }) => agent.id === agentId)
      .map((list) => list.find(sessionId))
      .find((found) => found !== undefined);
    const folder =
      sessions.find(agentId, sessionId)?.roots[0] ?? (row && this.#getPlace(agentId, row.info.cwd));
    return folder && (this.#real.get(folder) ?? folder);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #named(): Set<string> {
    const { places, worktrees, sessions, agents } = this.#options;
    const { folders } = places.workspace;
    const named = new Set(folders.map(({ path }) => path));
    const add = (folder: string | undefined): void => {
      const isHere = folder !== undefined && mayResolve(folder) && !isElsewhere(folder);
      if (isHere && named.size < maxFolders) {
        named.add(folder);
      }
    };
    for (const { path } of folders.flatMap((folder) => worktrees.below(folder))) {
      add(path);
    }
    for (const { roots } of sessions.all) {
      add(roots[0]);
    }
    for (const { agent, rows } of agents.lists) {
      // What agents on other machines do isn't recorded.
      for (const { info } of agent.config.remote === undefined ? rows : []) {
        add(this.#getPlace(agent.id, info.cwd));
      }
    }
    return named;
  }

  #getPlace(agentId: string, folder: string): string {
    return this.#options.places.moved.getPlace(agentId, folder);
  }

  async #resolve(folder: string): Promise<string> {
    const known = this.#real.get(folder);
    if (known !== undefined) {
      return known;
    }
    const real = await realPathOfNew(folder, this.#options.realPath).catch(() => folder);
    this.#real.set(folder, real);
    return real;
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const named = this.#named();
      if ([...named].some((folder) => !this.#known.has(folder))) {
        this.#known = named;
        this.#changed.fire();
      }
    }, pause);
  }
}
