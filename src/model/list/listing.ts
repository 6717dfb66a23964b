import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { AgentConnection, SessionPage } from '../../protocol/agentConnection';
import type { MorePages } from '../agent';
import { timestampOf } from '../text/timestamps';

/** Maximum number of pages of one listing that are read without a request by the user. */
const mostPages = 2_000;

/**
 * One reading of an agent's list: one connection, one filter, page after page (LIST-6). Cursors are
 * opaque, never leave this class, and are never sent twice for different pages (LIST-8, T-3).
 */
export class Listing {
  readonly connection: AgentConnection;
  /** The filter; `undefined` lists all folders. */
  readonly cwd: string | undefined;
  /** Constant for all its cursors, like the filter. */
  readonly #includesArchived: boolean;
  /** What follows the pages read so far. `cycle`: the agent has repeated a cursor. */
  next: 'page' | 'end' | 'cycle' = 'page';
  /**
   * All of its sessions that are newer than this (ms) have been read. `undefined` when unknown:
   * nothing was read, or the agent doesn't list newest first.
   */
  reached: number | undefined;

  #cursor: string | undefined;
  /** The prefetched next page. */
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

  /** Whether further pages may be read only at the user's request: a list may be endless. */
  get isLong(): boolean {
    return this.#pages >= mostPages;
  }

  /** The number of sessions that were left out because their page was too long. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Reads the next page. Rejects with `AcpError`; the listing then stays where it was. `ahead` requests
   * the page after it on arrival of this one, so that the agent works while this one is processed.
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
      // The next `#read` reports a rejection.
      this.#asked.catch(() => undefined);
      // The request is written only a few microtasks later.
      await setImmediate();
    }
    this.#noteTimes(page.sessions);
    return page;
  }

  /** Reads on until `isWanted` accepts a page; false after `most` pages or the end of the list. */
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

/** The state of the list after pages were read; `found`: they brought something. */
export function moreBehind({ next, leftOut }: Listing, found: boolean): MorePages {
  if (next === 'end' && leftOut > 0) {
    const reason = l10n.t('The agent listed more sessions at once than can be shown.');
    return { kind: 'stopped', reason };
  }
  if (next === 'end') {
    return { kind: 'none' };
  }
  if (next === 'cycle') {
    const reason = l10n.t('The agent’s list repeats a page.');
    return { kind: 'stopped', reason };
  }
  if (!found) {
    const reason = l10n.t('The last pages had no more sessions of this folder.');
    return { kind: 'stopped', reason };
  }
  return { kind: 'ready' };
}

/** There is more, but the list is full. */
export function listTooLong(): MorePages {
  return { kind: 'stopped', reason: l10n.t('The agent lists more sessions than can be shown.') };
}

/** There is more, but it is read only at the user's request. */
export function listWithoutEnd(): MorePages {
  const reason = l10n.t('Reading stopped: the list has too many pages.');
  return { kind: 'stopped', reason };
}
