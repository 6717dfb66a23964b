import type { SessionInfo } from '../../protocol/agentConnection';
import { isSessionId } from '../../protocol/bounds';
import type { SessionRef } from '../../shared/sessionRef';
import type { Entry } from '../../shared/transcript/entries';
import { asArray, isObject } from '../../util/json';
import { withoutSecrets } from '../../util/secrets/secretText';
import { getBeginning } from '../../util/textParts';
import type { KeyedStorage } from '../ports';
import { titleWithoutMarkup } from '../text/agentMarkup';
import { cleanText, getLabel, saysTitle } from '../text/titles';
import { getKey } from './sessionInfo';

export const promptTitlesKey = 'sessions.promptTitles';
/** Maximum number of titles; beyond it the oldest are dropped. */
const maxTitles = 500;
/** UTF-16 units of all of them: VS Code writes its state as a whole, with every change of it. */
const maxUnits = 100_000;
/** UTF-16 units of a title; a cut adds one. */
const maxTitleLength = 120;
/** UTF-16 units of a prompt that are read: enough to know a secret that begins within the title. */
const maxPromptLength = 4_000;
/** Number of entries, and of their blocks, that are searched for a session's first prompt. */
const maxEntries = 20;

interface Stored extends SessionRef {
  readonly title: string;
}

/**
 * The titles of sessions to which their agents have given none: the first words of the first prompt that was seen here.
 * All windows share them; what two store at the same moment is stored again when its session changes next.
 */
export class PromptTitles {
  readonly #storage: KeyedStorage;
  #stored: unknown;
  #titles: ReadonlyMap<string, Stored> = new Map();

  constructor(storage: KeyedStorage) {
    this.#storage = storage;
  }

  of(session: SessionRef): string | undefined {
    return this.#current.get(getKey(session))?.title;
  }

  /** Keeps a title of `findPromptTitle`; `undefined` forgets the session's. */
  async set({ agentId, sessionId }: SessionRef, title: string | undefined): Promise<void> {
    const key = getKey({ agentId, sessionId });
    const titles = new Map(this.#current);
    if (titles.get(key)?.title === title) {
      return;
    }
    titles.delete(key);
    if (title !== undefined) {
      titles.set(key, { agentId, sessionId, title });
    }
    await this.#storage.update(promptTitlesKey, newest([...titles.values()]));
  }

  /** Read again only when another value is stored. */
  get #current(): ReadonlyMap<string, Stored> {
    const stored = this.#storage.get(promptTitlesKey);
    if (stored !== this.#stored) {
      this.#stored = stored;
      const read = asArray(stored)
        .slice(-maxTitles)
        .flatMap((value) => readOne(value) ?? []);
      this.#titles = new Map(newest(read).map((one) => [getKey(one), one]));
    }
    return this.#titles;
  }
}

/** The first words of the first prompt among these entries: one line without control characters, markup and secrets. */
export function findPromptTitle(entries: readonly Entry[]): string | undefined {
  return (
    entries
      .slice(0, maxEntries)
      .flatMap((entry) => (entry.kind === 'user' && !entry.command ? entry.blocks : []))
      .slice(0, maxEntries)
      // What is attached follows in blocks of its own, as text for agents that take nothing else.
      .map((block) => (block.type === 'text' ? block.text : ''))
      .map((text) => withoutSecrets(titleWithoutMarkup(getBeginning(text, maxPromptLength))))
      .map((text) => cleanText(text, maxTitleLength))
      .find((title) => title !== '')
  );
}

/** Whether the title that is shown of a session is the beginning of its first prompt. */
export function isTitledByPrompt(info: Pick<SessionInfo, 'title' | 'promptTitle'>): boolean {
  return info.promptTitle !== undefined && !saysTitle(info.title);
}

/** The agent's title, or what stands in for it, as a label: a single sanitized line, never empty. */
export function getTitle(info: Pick<SessionInfo, 'title' | 'promptTitle'>): string {
  return getLabel(isTitledByPrompt(info) ? info.promptTitle : info.title);
}

function newest(all: readonly Stored[]): readonly Stored[] {
  let units = 0;
  const kept = all.slice(-maxTitles).reverse();
  const over = kept.findIndex(({ agentId, sessionId, title }) => {
    units += agentId.length + sessionId.length + title.length;
    return units > maxUnits;
  });
  return (over === -1 ? kept : kept.slice(0, over)).reverse();
}

function readOne(value: unknown): Stored | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { agentId, sessionId, title } = value;
  return typeof agentId === 'string' &&
    typeof sessionId === 'string' &&
    isSessionId(sessionId) &&
    typeof title === 'string' &&
    title.length <= maxTitleLength + 1
    ? { agentId, sessionId, title }
    : undefined;
}
