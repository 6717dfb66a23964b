import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { AgentConnection, SessionInfo, SessionPage } from '../../protocol/agentConnection';
import { getStack } from '../../util/getStack';
import type { MorePages } from '../agent';
import { FolderMatcher, getSpellings } from '../files/paths';
import type { Log, RealPath, WorkspaceFolder } from '../ports';
import { findTimestamp } from '../text/timestamps';

/** Maximum number of pages of one listing that are read without a request by the user. */
const maxPages = 2_000;

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
    return this.#pages >= maxPages;
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
      const time = findTimestamp(updatedAt);
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

/** The pages that follow when the list is full. */
export function listTooLong(): MorePages {
  return { kind: 'stopped', reason: l10n.t('The agent lists more sessions than can be shown.') };
}

/** The pages that follow and are read only at the user's request. */
export function listWithoutEnd(): MorePages {
  const reason = l10n.t('Reading stopped: the list has too many pages.');
  return { kind: 'stopped', reason };
}

export interface SessionListLimits {
  /** Maximum number of pages that one call reads while they bring nothing (T-3). */
  readonly pages: number;
  /** Maximum number of such pages of the unfiltered list, which is read only when filters by folder found nothing. */
  readonly unfilteredPages: number;
  /** How long a refresh waits for further patches of unlisted sessions, in ms (T-19). */
  readonly newsMs: number;
  /** A list is read again at most this often, in ms, however often its agent says that it has changed (T-46). */
  readonly changesMs: number;
  /** How long recalled rows are given to be drawn before their agent starts, which takes the processor, in ms. */
  readonly drawingMs: number;
}

export const sessionListLimits: SessionListLimits = {
  pages: 20,
  unfilteredPages: 5,
  newsMs: 1_000,
  changesMs: 5_000,
  drawingMs: 60,
};

type PageLimits = Pick<SessionListLimits, 'pages' | 'unfilteredPages'>;

/** Receives one page's sessions of the folder; returns whether the read can stop there. */
export type TakePage = (sessions: readonly SessionInfo[]) => boolean;

/** A listing that was begun; `found`: one of its pages had sessions of the folder. */
interface OpenedListing {
  readonly listing: Listing;
  readonly found: boolean;
}

/** How the listings of a session list are begun and read. */
export interface Listings {
  /** Whether new listings include archived sessions. */
  includesArchived: boolean;
  /** The sessions among these that belong to the list. */
  own(sessions: readonly SessionInfo[]): Promise<readonly SessionInfo[]>;
  /** Begins a listing and reads up to the first page with sessions, within the page limit. */
  open(connection: AgentConnection, take: TakePage, signal: AbortSignal): Promise<OpenedListing>;
  /** Reads on until `take` returns true; false when the list or the page limit ended first. */
  read(listing: Listing, take: TakePage, signal: AbortSignal, ahead?: boolean): Promise<boolean>;
}

/** Listings of one folder, or of all. */
export function getListings(
  folder: WorkspaceFolder | undefined,
  realPath: RealPath,
  log: Log,
  limits: SessionListLimits,
): Listings {
  return folder === undefined
    ? new AllListings(limits.pages)
    : new FolderListings(folder, realPath, log, limits);
}

/** Listings of the sessions of one folder. */
class FolderListings implements Listings {
  includesArchived = false;
  readonly #folder: WorkspaceFolder;
  readonly #realPath: RealPath;
  readonly #log: Log;
  readonly #limits: PageLimits;
  readonly #matcher: FolderMatcher;
  /** The filter that last returned sessions of this folder; tried first the next time. */
  #filter: { readonly cwd: string | undefined } | undefined;

  constructor(folder: WorkspaceFolder, realPath: RealPath, log: Log, limits: PageLimits) {
    this.#folder = folder;
    this.#realPath = realPath;
    this.#log = log;
    this.#limits = limits;
    this.#matcher = new FolderMatcher(folder.path, realPath);
  }

  /**
   * Begins a listing with a filter under which the agent knows this folder: its path; if that finds
   * nothing, other spellings of it; finally all folders, filtered here (T-1). Reads up to the first
   * page with sessions of the folder, within the page limits.
   */
  async open(
    connection: AgentConnection,
    take: TakePage,
    signal: AbortSignal,
  ): Promise<OpenedListing> {
    const matches: TakePage = (sessions) => {
      take(sessions);
      return sessions.length > 0;
    };
    const { cwd } = this.#filter ?? { cwd: this.#folder.path };
    const first = new Listing(connection, cwd, this.includesArchived);
    const found = await this.read(first, matches, signal);
    if (found) {
      this.#filter = { cwd: first.cwd };
    }
    if (found || first.next !== 'end') {
      return { listing: first, found };
    }
    try {
      return await this.#openOther(first, matches, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The agent has answered the main request; this was only a second attempt.
      this.#log.warn(`session/list with another filter failed: ${getStack(error)}`);
      return { listing: first, found };
    }
  }

  own(sessions: readonly SessionInfo[]): Promise<readonly SessionInfo[]> {
    return this.#matcher.filter(sessions);
  }

  async read(
    listing: Listing,
    take: TakePage,
    signal: AbortSignal,
    ahead = false,
  ): Promise<boolean> {
    const limit = listing.cwd === undefined ? this.#limits.unfilteredPages : this.#limits.pages;
    const isWanted = async (page: SessionPage): Promise<boolean> => {
      // Some agents ignore the filter, or spell the folder in another way (T-2).
      const sessions = await this.#matcher.filter(page.sessions);
      signal.throwIfAborted();
      return take(sessions);
    };
    return listing.readUntil(isWanted, limit, signal, ahead);
  }

  async #openOther(first: Listing, matches: TakePage, signal: AbortSignal): Promise<OpenedListing> {
    const spellings = await getSpellings(this.#folder.path, this.#realPath);
    let listing = first;
    for (const cwd of [...spellings, undefined]) {
      if (cwd === first.cwd) {
        continue;
      }
      listing = new Listing(first.connection, cwd, this.includesArchived);
      const found = await this.read(listing, matches, signal);
      if (found) {
        this.#filter = { cwd };
      }
      if (found || listing.next !== 'end') {
        return { listing, found };
      }
    }
    return { listing, found: false };
  }
}

/** Listings of the sessions of all folders, without a filter. */
class AllListings implements Listings {
  includesArchived = false;
  readonly #maxPages: number;

  /** Reads at most `maxPages` pages in a call while they are empty (T-3). */
  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  async open(
    connection: AgentConnection,
    take: TakePage,
    signal: AbortSignal,
  ): Promise<OpenedListing> {
    const listing = new Listing(connection, undefined, this.includesArchived);
    const found = await this.read(
      listing,
      (sessions) => {
        take(sessions);
        return sessions.length > 0;
      },
      signal,
    );
    return { listing, found };
  }

  own(sessions: readonly SessionInfo[]): Promise<readonly SessionInfo[]> {
    return Promise.resolve(sessions);
  }

  read(listing: Listing, take: TakePage, signal: AbortSignal, ahead = false): Promise<boolean> {
    const isWanted = ({ sessions }: SessionPage): boolean => {
      signal.throwIfAborted();
      return take(sessions);
    };
    return listing.readUntil(isWanted, this.#maxPages, signal, ahead);
  }
}
