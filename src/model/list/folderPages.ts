import type { AgentConnection, SessionInfo, SessionPage } from '../../protocol/agentConnection';
import { FolderMatcher, spellingsOf } from '../files/paths';
import type { Log, RealPath, WorkspaceFolder } from '../ports';
import { Listing } from './pages';

export interface PageLimits {
  /** Pages that one call may read while they bring nothing (T-3). */
  readonly pages: number;
  /** The same for the list of all folders, which is read only because asking for the folder gave nothing. */
  readonly unfilteredPages: number;
}

/** Takes the sessions of the folder that one page had; says whether they are what was looked for. */
export type TakePage = (sessions: readonly SessionInfo[]) => boolean;

/** A walk that has begun; `found`: a page of it had sessions of the folder. */
export interface OpenedListing {
  readonly listing: Listing;
  readonly found: boolean;
}

/** A way through an agent's pages. */
export interface ListPages {
  /** Whether walks that begin from now on bring what the agent has archived, too. */
  includesArchived: boolean;
  /** Begins a walk and reads up to the first page with sessions, within bounds. */
  open(connection: AgentConnection, take: TakePage, signal: AbortSignal): Promise<OpenedListing>;
  /** Reads on until `take` says yes. False when the list or the bound on pages came first. */
  read(listing: Listing, take: TakePage, signal: AbortSignal, ahead?: boolean): Promise<boolean>;
}

/** Finds one folder's sessions in an agent's pages. */
export class FolderPages implements ListPages {
  includesArchived = false;
  readonly #folder: WorkspaceFolder;
  readonly #realPath: RealPath;
  readonly #log: Log;
  readonly #limits: PageLimits;
  readonly #matcher: FolderMatcher;
  /** The filter that last gave sessions of this folder; asked first the next time. */
  #filter: { readonly cwd: string | undefined } | undefined;

  constructor(folder: WorkspaceFolder, realPath: RealPath, log: Log, limits: PageLimits) {
    this.#folder = folder;
    this.#realPath = realPath;
    this.#log = log;
    this.#limits = limits;
    this.#matcher = new FolderMatcher(folder.path, realPath);
  }

  /**
   * Begins a walk, with the filter under which the agent knows this folder: its path, on an empty answer
   * other spellings of it, at last all folders, told apart here (T-1). Has read up to the first page
   * with sessions of the folder, within bounds.
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
      // The agent has answered the question that was meant; this was only a second try.
      this.#log.warn(`session/list with another filter failed: ${String(error)}`);
      return { listing: first, found };
    }
  }

  /** Reads on until `take` says yes. False when the list or the bound on pages came first. */
  async read(
    listing: Listing,
    take: TakePage,
    signal: AbortSignal,
    ahead = false,
  ): Promise<boolean> {
    const limit = listing.cwd === undefined ? this.#limits.unfilteredPages : this.#limits.pages;
    const isWanted = async (page: SessionPage): Promise<boolean> => {
      // Agents ignore the filter, or know it as another spelling (T-2).
      const sessions = await this.#matcher.filter(adopt(page.sessions, listing.cwd));
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

/** A session without a folder of its own (LIST-12) has the one that was asked for. */
function adopt(sessions: readonly SessionInfo[], cwd: string | undefined): readonly SessionInfo[] {
  return cwd === undefined || sessions.every((session) => session.cwd !== '')
    ? sessions
    : sessions.map((session) => (session.cwd === '' ? { ...session, cwd } : session));
}
