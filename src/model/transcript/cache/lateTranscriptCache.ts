import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { Event } from '../../../util/emitter';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { TranscriptCache, TranscriptCacheParts } from './transcriptCache';

export interface LateTranscriptCacheParts extends TranscriptCacheParts {
  readonly sessions: TranscriptCacheParts['sessions'] & Pick<Sessions, 'onDidDelete'>;
  readonly settings: TranscriptCacheParts['settings'] & {
    readonly onDidChangeTranscriptCache: Event<void>;
  };
}

/** Loads the separate bundle that caches transcripts with the first open session. */
export class LateTranscriptCache implements Disposable {
  readonly #parts: TranscriptCacheParts;
  readonly #store = new DisposableStore();
  #cache: Promise<TranscriptCache> | undefined;

  constructor(parts: LateTranscriptCacheParts) {
    const { agents, sessions, settings } = parts;
    this.#parts = parts;
    const load = (): void => void this.load();
    this.#store.add(sessions.onDidChange(load));
    this.#store.add(agents.onDidChange(load));
    this.#store.add(
      sessions.onDidDelete((ref) => {
        void this.load().then((cache) => cache.forget(ref));
        void parts.notes?.forget(ref);
      }),
    );
    this.#store.add(
      settings.onDidChangeTranscriptCache(
        () => void this.load().then((cache) => cache.settingChanged()),
      ),
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
    await (await this.#cache)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The cache itself. */
  load(): Promise<TranscriptCache> {
    this.#cache ??= import('./transcriptCache').then(({ TranscriptCache: Loaded }) =>
      this.#store.add(new Loaded(this.#parts)),
    );
    return this.#cache;
  }
}
