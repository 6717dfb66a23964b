import type { AgentConnection } from '../protocol/agentConnection';
import type { ListPages, OpenedListing, TakePage } from './folderPages';
import { Listing } from './pages';

/** Finds the sessions of all folders in an agent's pages: every one that it lists. */
export class AllPages implements ListPages {
  readonly #mostPages: number;

  /** One call reads up to so many pages while they bring nothing (T-3). */
  constructor(mostPages: number) {
    this.#mostPages = mostPages;
  }

  async open(
    connection: AgentConnection,
    take: TakePage,
    signal: AbortSignal,
  ): Promise<OpenedListing> {
    const listing = new Listing(connection, undefined);
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

  async read(
    listing: Listing,
    take: TakePage,
    signal: AbortSignal,
    ahead = false,
  ): Promise<boolean> {
    for (let pages = 0; pages < this.#mostPages && listing.next === 'page'; pages++) {
      const { sessions } = await listing.read(signal, ahead);
      signal.throwIfAborted();
      if (take(sessions)) {
        return true;
      }
    }
    return false;
  }
}
