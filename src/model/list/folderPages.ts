import type { AgentConnection, SessionInfo, SessionPage } from '../../protocol/agentConnection';
import { stackOf } from '../../util/stackOf';
import { FolderMatcher, spellingsOf } from '../files/paths';
import type { Log, RealPath, WorkspaceFolder } from '../ports';
import { Listing } from './listing';

export interface PageLimits {
  /** Maximum number of pages that one call reads while they bring nothing (T-3). */
  readonly pages: number;
  /** The same for the unfiltered list, which is read only when filters by folder found nothing. */
  readonly unfilteredPages: number;
}

/** Receives one page's sessions of the folder; returns whether the read can stop there. */
export type TakePage = (sessions: readonly SessionInfo[]) => boolean;

/** A walk that was begun; `found`: one of its pages had sessions of the folder. */
export interface OpenedListing {
  readonly listing: Listing;
  readonly found: boolean;
}

/** A strategy for walking through an agent's pages. */
export interface ListPages {
  /** Whether new walks include archived sessions. */
  includesArchived: boolean;
  /** Those of the sessions that belong to the list. */
  own(sessions: readonly SessionInfo[]): Promise<readonly SessionInfo[]>;
  /** Begins a walk and reads up to the first page with sessions, within the page limit. */
  open(connection: AgentConnection, take: TakePage, signal: AbortSignal): Promise<OpenedListing>;
  /** Reads on until `take` returns true; false when the list or the page limit ended first. */
  read(listing: Listing, take: TakePage, signal: AbortSignal, ahead?: boolean): Promise<boolean>;
}

/** Walks an agent's pages for the sessions of one folder. */
export class FolderPages implements ListPages {
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
   * Begins a walk with a filter under which the agent knows this folder: its path; if that finds
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
      this.#log.warn(`session/list with another filter failed: ${stackOf(error)}`);
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
    const spellings = await spellingsOf(this.#folder.path, this.#realPath);
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
