import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { Lazy } from '../../util/lazy';
import { stackOf } from '../../util/stackOf';
import type { Log } from '../ports';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { TranscriptCache, TranscriptCacheParts } from './transcriptCache';

export interface LateTranscriptCacheParts extends TranscriptCacheParts {
  readonly sessions: TranscriptCacheParts['sessions'] & Pick<Sessions, 'onDidDelete'>;
  readonly settings: TranscriptCacheParts['settings'] & {
    readonly onDidChangeTranscriptCache: Event<void>;
  };
}

/** Loads the separate bundle that caches transcripts with the first open session. */
export class LateTranscriptCache implements Disposable {
  readonly #store = new DisposableStore();
  readonly #cache: Lazy<TranscriptCache>;
  readonly #log: Pick<Log, 'warn'>;

  constructor(parts: LateTranscriptCacheParts) {
    const { agents, sessions, settings, log } = parts;
    this.#log = log;
    this.#cache = new Lazy(async () => {
      const { TranscriptCache: Loaded } = await import('./transcriptCache');
      return this.#store.add(new Loaded(parts));
    });
    const load = (): void => this.#tell(() => undefined);
    this.#store.add(sessions.onDidChange(load));
    this.#store.add(agents.onDidChange(load));
    this.#store.add(
      sessions.onDidDelete((ref) => {
        this.#tell((cache) => cache.forget(ref));
        void parts.notes?.forget(ref);
      }),
    );
    this.#store.add(
      settings.onDidChangeTranscriptCache(() => this.#tell((cache) => cache.settingChanged())),
    );
  }

  /** See `TranscriptCache`. */
  async recall(session: Session): Promise<void> {
    await (await this.load()).recall(session);
  }

  /** Forgets all transcripts. */
  async clear(): Promise<void> {
    await (await this.load()).clear();
  }

  /** Stores what has changed, before the window closes. */
  async end(): Promise<void> {
    await (await this.#cache.made)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tell(what: (cache: TranscriptCache) => unknown): void {
    this.load()
      .then(what)
      .catch((error: unknown) => this.#log.warn(stackOf(error)));
  }

  /** The cache itself. */
  load(): Promise<TranscriptCache> {
    return this.#cache.get();
  }
}
