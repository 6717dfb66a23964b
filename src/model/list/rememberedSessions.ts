import type { SessionInfo } from '../../protocol/agentConnection';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { asArray, asString, isObject } from '../../util/json';
import type { KeyedStorage } from '../ports';
import { rememberedSession } from './rememberedSession';

export const rememberedKey = 'sessions.remembered';
/** Maximum number of sessions; beyond it the oldest are dropped. */
const maxSessions = 500;

interface Remembered {
  readonly agentId: string;
  readonly info: SessionInfo;
}

/** Sessions that were created or opened in this workspace with agents that can't list them (LIST-3). */
export class RememberedSessions implements Disposable {
  readonly #storage: KeyedStorage;
  readonly #changed = new Emitter<string>();
  /** Fires with the id of an agent whose sessions have changed. */
  readonly onDidChange = this.#changed.event;
  #stored: unknown;
  #all: readonly Remembered[] = [];

  constructor(storage: KeyedStorage) {
    this.#storage = storage;
  }

  /** The sessions of one agent, newest first. */
  of(agentId: string): readonly SessionInfo[] {
    return this.#read()
      .filter((known) => known.agentId === agentId)
      .map(({ info }) => info)
      .reverse();
  }

  /** Adds the session, or replaces its earlier record. */
  async keep(agentId: string, info: SessionInfo): Promise<void> {
    await this.#write(agentId, [...this.#others(agentId, info.sessionId), { agentId, info }]);
  }

  async forget(agentId: string, sessionId: string): Promise<void> {
    const others = this.#others(agentId, sessionId);
    if (others.length < this.#read().length) {
      await this.#write(agentId, others);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #others(agentId: string, sessionId: string): readonly Remembered[] {
    return this.#read().filter(
      (known) => known.agentId !== agentId || known.info.sessionId !== sessionId,
    );
  }

  #read(): readonly Remembered[] {
    const stored = this.#storage.get(rememberedKey);
    if (stored !== this.#stored) {
      this.#stored = stored;
      this.#all = asArray(stored)
        .slice(-maxSessions)
        .flatMap((value) => readOne(value) ?? []);
    }
    return this.#all;
  }

  async #write(agentId: string, all: readonly Remembered[]): Promise<void> {
    const written = this.#storage.update(rememberedKey, all.slice(-maxSessions).map(toStored));
    this.#changed.fire(agentId);
    await written;
  }
}

function toStored({ agentId, info }: Remembered): object {
  const { sessionId, cwd, title, updatedAt } = info;
  return { agentId, sessionId, cwd, title, updatedAt };
}

/** The additional folders of all sessions are kept by `SessionRoots`. */
function readOne(value: unknown): Remembered | undefined {
  const agentId = isObject(value) && asString(value['agentId']);
  const info = rememberedSession(value);
  return agentId && info ? { agentId, info } : undefined;
}
