import path from 'node:path';
import { readSessionRef, type SessionRef } from '../../shared/sessionRef';
import { asArray, isObject } from '../../util/json';
import { getKey, sessionKey } from '../list/sessionInfo';
import type { KeyedStorage } from '../ports';

export const rootsKey = 'sessions.roots';
/** Maximum number of sessions; beyond it the oldest are dropped. */
const maxSessions = 500;

interface Kept extends SessionRef {
  readonly roots: readonly string[];
}

/**
 * The additional folders with which sessions were created here. An agent forgets them on each load and
 * needn't list them, so they are kept to be sent again in full (DIR-4).
 */
export class SessionRoots {
  readonly #storage: KeyedStorage;

  constructor(storage: KeyedStorage) {
    this.#storage = storage;
  }

  of(agentId: string, sessionId: string): readonly string[] {
    const key = sessionKey(agentId, sessionId);
    return this.#read().find((kept) => getKey(kept) === key)?.roots ?? [];
  }

  async keep(agentId: string, sessionId: string, roots: readonly string[]): Promise<void> {
    const key = sessionKey(agentId, sessionId);
    // Other windows write the same value: their entries must stay.
    const others = this.#read().filter((kept) => getKey(kept) !== key);
    if (roots.length > 0) {
      const all = [...others, { agentId, sessionId, roots }].slice(-maxSessions);
      await this.#storage.update(rootsKey, all);
    } else if (others.length < this.#read().length) {
      await this.#storage.update(rootsKey, others);
    }
  }

  #read(): readonly Kept[] {
    return asArray(this.#storage.get(rootsKey)).flatMap((value) => {
      const ref = readSessionRef(value);
      const roots = isObject(value) ? asArray(value['roots']) : [];
      return ref === undefined ? [] : [{ ...ref, roots: roots.filter(isRoot) }];
    });
  }
}

function isRoot(value: unknown): value is string {
  return typeof value === 'string' && path.isAbsolute(value);
}
