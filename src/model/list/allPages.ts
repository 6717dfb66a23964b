import type { AgentConnection, SessionInfo, SessionPage } from '../../protocol/agentConnection';
import type { ListPages, OpenedListing, TakePage } from './folderPages';
import { Listing } from './listing';

/** Walks an agent's pages for the sessions of all folders, without a filter. */
export class AllPages implements ListPages {
  includesArchived = false;
  readonly #mostPages: number;

  /** One call reads at most `mostPages` pages while they are empty (T-3). */
  constructor(mostPages: number) {
    this.#mostPages = mostPages;
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
    return listing.readUntil(isWanted, this.#mostPages, signal, ahead);
  }
}
