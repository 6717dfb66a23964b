import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { Lazy } from '../../util/lazy';
import { stackOf } from '../../util/stackOf';
import type { Agents } from '../agents/agents';
import type { Log } from '../ports';
import type { Sessions } from '../session/sessions';
import type { ListMemory, ListMemoryParts } from './listMemory';

export interface LateListMemoryParts extends ListMemoryParts {
  readonly agents: ListMemoryParts['agents'] & Pick<Agents, 'onDidChange' | 'onDidList'>;
  readonly sessions: Pick<Sessions, 'all' | 'onDidDelete'>;
  readonly settings: ListMemoryParts['settings'] & {
    readonly onDidChangeRemembersLists: Event<void>;
  };
}

/** Loads the separate bundle that remembers lists once one has been read. */
export class LateListMemory implements Disposable {
  readonly #store = new DisposableStore();
  readonly #memory: Lazy<ListMemory>;
  readonly #log: Pick<Log, 'warn'>;

  constructor(parts: LateListMemoryParts) {
    this.#memory = new Lazy(async () => {
      const { ListMemory: Loaded } = await import('./listMemory');
      return this.#store.add(new Loaded(parts));
    });
    const { agents, sessions, settings, log } = parts;
    this.#log = log;
    this.#store.add(
      agents.onDidList((list) => {
        // Nothing is loaded while the agent starts.
        if (list.state.kind !== 'loading') {
          this.#tell((memory) => memory.note(list));
        }
      }),
    );
    this.#store.add(agents.onDidChange(() => this.#tell((memory) => memory.keepConfigured())));
    this.#store.add(
      sessions.onDidDelete((session) => this.#tell((memory) => memory.forget(session))),
    );
    this.#store.add(
      settings.onDidChangeRemembersLists(() => this.#tell((memory) => memory.settingChanged())),
    );
  }

  /** Forgets all lists. */
  async clear(): Promise<void> {
    (await this.load()).clear();
  }

  /** Stores what has changed, before the window closes. */
  async end(): Promise<void> {
    (await this.#memory.made)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tell(what: (memory: ListMemory) => void): void {
    this.load()
      .then(what)
      .catch((error: unknown) => this.#log.warn(stackOf(error)));
  }

  /** The memory itself. */
  load(): Promise<ListMemory> {
    return this.#memory.get();
  }
}
