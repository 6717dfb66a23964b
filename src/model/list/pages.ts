import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { AgentConnection, SessionPage } from '../../protocol/agentConnection';
import type { MorePages } from '../agents/agent';
import { timestampOf } from '../text/timestamps';

/** Pages of one walk that are read without a person asking for each. */
const mostPages = 2_000;

/**
 * One walk through an agent's list: one connection, one filter, page after page (LIST-6). Cursors are
 * opaque, live only here and are never sent twice for different pages (LIST-8, T-3).
 */
export class Listing {
  readonly connection: AgentConnection;
  /** The filter; without one the agent lists all folders. */
  readonly cwd: string | undefined;
  /** The same along all of its cursors, as the filter is. */
  readonly #includesArchived: boolean;
  /** What the next `read` would do. `cycle`: the agent named a cursor a second time. */
  next: 'page' | 'end' | 'cycle' = 'page';
  /**
   * All sessions of the walk newer than this (ms) have been read. `undefined` when that can't be said:
   * nothing read, or the agent doesn't list newest first.
   */
  reached: number | undefined;

  #cursor: string | undefined;
  /** The next page, asked for before it is wanted. */
  #asked: Promise<SessionPage> | undefined;
  readonly #seen = new Set<string>();
  #newestFirst = true;
  #pages = 0;
  #leftOut = 0;

  constructor(connection: AgentConnection, cwd: string | undefined, includesArchived: boolean) {
    this.connection = connection;
    this.cwd = cwd;
    this.#includesArchived = includesArchived && connection.capabilities.archive;
  }

  /** Whether nobody should read on who isn't asked to by a person: a list may have no end. */
  get isLong(): boolean {
    return this.#pages >= mostPages;
  }

  /** Rows of its pages that were too many. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Reads the next page. When it rejects, with `AcpError`, the walk stands where it stood. `ahead` asks for
   * the one after it as soon as this one has come: the agent makes it while this one is taken in.
   */
  async #read(signal: AbortSignal, ahead: boolean): Promise<SessionPage> {
    const asked = this.#asked ?? this.#ask(signal);
    this.#asked = undefined;
    const page = await asked;
    this.#pages++;
    this.#leftOut += page.leftOut ?? 0;
    this.#turnTo(page.nextCursor);
    if (ahead && this.next === 'page' && !this.isLong) {
      this.#asked = this.#ask();
      // Whoever reads it hears of it.
      this.#asked.catch(() => undefined);
      // A request leaves some promises later.
      await setImmediate();
    }
    this.#noteTimes(page.sessions);
    return page;
  }

  /** Reads on until a page is a wanted one, at most so many. False when the list or that bound came first. */
  async readUntil(
    isWanted: (page: SessionPage) => boolean | Promise<boolean>,
    most: number,
    signal: AbortSignal,
    ahead: boolean,
  ): Promise<boolean> {
    for (let pages = 0; pages < most && this.next === 'page'; pages++) {
      const page = await this.#read(signal, ahead);
      if (await isWanted(page)) {
        return true;
      }
    }
    return false;
  }

  #ask(signal?: AbortSignal): Promise<SessionPage> {
    const query = {
      ...(this.cwd !== undefined && { cwd: this.cwd }),
      ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      ...(this.#includesArchived && { archived: 'include' as const }),
    };
    return this.connection.listSessions(query, signal);
  }

  #turnTo(cursor: string | undefined): void {
    if (cursor === undefined) {
      this.next = 'end';
    } else if (this.#seen.has(cursor)) {
      this.next = 'cycle';
    } else {
      this.#seen.add(cursor);
      this.#cursor = cursor;
    }
  }

  #noteTimes(sessions: SessionPage['sessions']): void {
    for (const { updatedAt } of sessions) {
      const time = timestampOf(updatedAt);
      this.#newestFirst &&= time !== undefined && time <= (this.reached ?? Infinity);
      this.reached = this.#newestFirst ? time : undefined;
    }
  }
}

/** What there is after pages were read; `found`: they brought something. */
export function moreBehind({ next, leftOut }: Listing, found: boolean): MorePages {
  if (next === 'end' && leftOut > 0) {
    const reason = l10n.t('The agent listed more sessions at once than can be shown.');
    return { kind: 'stopped', reason };
  }
  if (next === 'end') {
    return { kind: 'none' };
  }
  if (next === 'cycle') {
    const reason = l10n.t('The list leads back to a page that was read before.');
    return { kind: 'stopped', reason };
  }
  if (!found) {
    const reason = l10n.t('The pages read last had no further session of this folder.');
    return { kind: 'stopped', reason };
  }
  return { kind: 'ready' };
}

/** There is more, and it is left where it is. */
export function listTooLong(): MorePages {
  return { kind: 'stopped', reason: l10n.t('The agent lists more sessions than can be shown.') };
}

/** There is more, and only a person may ask for it. */
export function listWithoutEnd(): MorePages {
  const reason = l10n.t('Reading has stopped: the list has very many pages.');
  return { kind: 'stopped', reason };
}
