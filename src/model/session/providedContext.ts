import * as l10n from '@vscode/l10n';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import type { Attachment } from '../../shared/transcript/prompt';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { withTimeout } from '../../util/async';
import { getBeginning } from '../../util/textParts';
import type { SessionReach } from '../requests/sessionReach';

export type Context = Extract<Attachment, { type: 'context' }>;

/** A text that goes with a prompt. */
export interface ContextPart {
  readonly uri: string;
  /** Said to agents that take no embedded resources. */
  readonly name: string;
  readonly text: string;
}

/** The session that gets it. */
export interface ContextSession extends SessionRef {
  readonly cwd: string;
  /** Whether a file is in its folders that the user has chosen (DIR-10): nothing else goes along by itself. */
  has(file: string): Promise<boolean>;
}

/** What readers of context are told of a session. */
export function getContextSession(session: {
  readonly agent: { readonly id: string };
  readonly info: { readonly sessionId: string; readonly cwd: string };
  readonly acts: { readonly reach: Pick<SessionReach, 'has'> };
}): ContextSession {
  const { cwd } = session.info;
  return { ...getRef(session), cwd, has: (file) => session.acts.reach.has(file) };
}

/** Reads one source of context, such as the problems. */
export interface ContextReader {
  /** What there is now; empty if there is nothing. Rejects if it can't be read. */
  read(
    about: string,
    session: ContextSession,
    signal: AbortSignal,
  ): Promise<readonly ContextPart[]>;
  /** What a text after `@` may mean. */
  suggest(typed: string, session: ContextSession): Promise<readonly ContextSuggestion[]>;
}

/** UTF-16 units of one part, and of all parts of an attachment. */
const maxPart = 200_000;
const maxParts = 600_000;
const readMs = 10_000;
/** Suggestions of all sources. */
const maxSuggestions = 50;

/** What features can attach to prompts; whoever needs it before they are there has them loaded. */
export class ProvidedContext {
  readonly #features: () => Promise<unknown>;
  readonly #readers = new Map<string, ContextReader>();

  /** `features` resolves when all that there are have been registered. */
  constructor(features: () => Promise<unknown>) {
    this.#features = features;
  }

  provide(source: string, reader: ContextReader): void {
    this.#readers.set(source, reader);
  }

  /**
   * The texts, cut to 200,000 UTF-16 units each and 600,000 together. Rejects if nothing reads this source, or its
   * reader fails or takes more than ten seconds.
   */
  async read(
    { source, about }: Pick<Context, 'source' | 'about'>,
    session: ContextSession,
  ): Promise<readonly ContextPart[]> {
    await this.#features();
    const reader = this.#readers.get(source);
    if (reader === undefined) {
      throw new Error(l10n.t('Nothing in this window can read it'));
    }
    const over = new AbortController();
    try {
      const parts = await withTimeout(
        reader.read(about, session, over.signal),
        readMs,
        () => new Error(l10n.t('It took too long to read')),
      );
      return bounded(parts);
    } finally {
      over.abort();
    }
  }

  /** What can be attached for a text after `@`. A source that fails suggests nothing. */
  async suggest(typed: string, session: ContextSession): Promise<readonly ContextSuggestion[]> {
    await this.#features();
    const found = await Promise.allSettled(
      [...this.#readers.values()].map((reader) => reader.suggest(typed, session)),
    );
    return found
      .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      .slice(0, maxSuggestions);
  }

  /**
   * What a word after `@` in a text means, as the suggestion that is written like that. A source that suggests nothing
   * of that name is told by what it reads: that there is nothing, or why.
   */
  async find(word: string, session: ContextSession): Promise<Context | undefined> {
    const mention = `@${word}`;
    const named = (await this.suggest(word, session)).find((each) => each.mention === mention);
    if (named !== undefined) {
      return { type: 'context', ...named };
    }
    const source = word.split(':', 1)[0] ?? '';
    return this.#readers.has(source)
      ? { type: 'context', source, about: '', name: mention, mention }
      : undefined;
  }
}

function bounded(parts: readonly ContextPart[]): readonly ContextPart[] {
  let left = maxParts;
  const kept: ContextPart[] = [];
  for (const part of parts) {
    const text = getBeginning(part.text, Math.min(maxPart, left));
    if (text !== '' || part.text === '') {
      kept.push({ ...part, text: text.length < part.text.length ? `${text}\n[…]` : text });
    }
    left -= text.length;
  }
  return kept;
}
