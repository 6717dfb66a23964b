import type { AgentConnection, SessionInfo } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { MorePages } from '../agent';
import { comparablePath } from '../files/paths';
import type { Log, WorkspaceFolder } from '../ports';
import {
  type Listing,
  type Listings,
  listTooLong,
  listWithoutEnd,
  moreBehind,
  type TakePage,
} from './listing';
import { mergeInfoPatches } from './sessionInfo';
import type { SessionRows } from './sessionRows';

/** What is known of a list without asking its agent. */
export interface KnownBefore {
  /** The remembered sessions of the folder: the only ones when the agent can't list. */
  readonly remembered: () => readonly SessionInfo[];
  /** The sessions that show until the agent has told its list. */
  readonly recalled: () => readonly SessionInfo[];
  /** What stands in for a title that the agent hasn't given. */
  readonly promptTitle: (sessionId: string) => string | undefined;
  /** Whether a session isn't to be listed. */
  readonly isHidden: (sessionId: string) => boolean;
}

export interface CurrentListingParts {
  readonly agentId: string;
  /** `undefined`: all folders. */
  readonly folder: WorkspaceFolder | undefined;
  readonly before: KnownBefore;
  readonly listings: Listings;
  readonly rows: SessionRows;
  /** What was pushed about sessions that no page has named yet. */
  readonly early: EarlyPatches;
  readonly log: Log;
}

/** Reads an agent's list, and keeps the rows in step with what its pages name. */
export class CurrentListing {
  readonly #parts: CurrentListingParts;
  /** The one that `goOn` continues. */
  #listing: Listing | undefined;
  /** What follows the rows. */
  more: MorePages = { kind: 'none' };

  constructor(parts: CurrentListingParts) {
    this.#parts = parts;
  }

  /** Whether there are remembered sessions. */
  get isRecalled(): boolean {
    return this.#parts.before.recalled().length > 0;
  }

  /**
   * Takes the remembered sessions, until pages name or disprove them: at once, unless it takes a look at the disk
   * to see which of them belong to the folder. Then the result adds these.
   */
  recall(): Promise<() => void> | undefined {
    const { before, folder, listings, rows } = this.#parts;
    const sessions = before.recalled();
    const own = folder && comparablePath(folder.path);
    if (own === undefined || sessions.every(({ cwd }) => comparablePath(cwd) === own)) {
      rows.recall(sessions);
      return undefined;
    }
    return listings.own(sessions).then((found) => () => rows.recall(found));
  }

  /** Why no further page may be read now; `ahead`: the user doesn't wait for it. */
  bound(ahead: boolean): MorePages | undefined {
    if (this.#parts.rows.isFull) {
      return listTooLong();
    }
    return ahead && this.#listing?.isLong ? listWithoutEnd() : undefined;
  }

  /** Begins a new listing and takes its first page. */
  async begin(connection: AgentConnection, signal: AbortSignal): Promise<Listing> {
    const { listings, rows } = this.#parts;
    this.#listing = undefined;
    rows.beginListing();
    const { listing, found } = await listings.open(connection, this.#takeUp(false), signal);
    this.#listing = listing;
    this.#settle(listing, found);
    return listing;
  }

  /** Reads until a page brings a new row; starts over where the listing can't be continued. */
  async goOn(connection: AgentConnection, signal: AbortSignal, ahead: boolean): Promise<void> {
    const { agentId, listings, log } = this.#parts;
    const current = this.#listing;
    // A cursor is valid only on the connection that returned it (LIST-8).
    if (current?.connection === connection && current.next === 'page') {
      try {
        this.#settle(current, await listings.read(current, this.#takeUp(ahead), signal, ahead));
        return;
      } catch (error) {
        if (!(error instanceof AcpError) || error.code !== 'invalidParams') {
          throw error;
        }
        log.info(`${agentId}: cursor rejected, reading the list from the start`);
      }
    }
    const fresh = await this.begin(connection, signal);
    this.#settle(fresh, await listings.read(fresh, this.#takeUp(ahead), signal));
  }

  /** The agent can't list: the remembered sessions are all there are. */
  takeRemembered(): void {
    const { before, rows } = this.#parts;
    rows.beginListing();
    this.#takeUp(false)(before.remembered());
    rows.dropUnconfirmed();
    this.more = { kind: 'none' };
  }

  /** Adds the sessions of one page; returns true when one of them is new. */
  #takeUp(ahead: boolean): TakePage {
    const { rows, early } = this.#parts;
    return (sessions) => rows.addPage(sessions, (id) => early.take(id), ahead);
  }

  /** Drops the rows that the pages read should have named but didn't, and updates `more`. */
  #settle(listing: Listing, found: boolean): void {
    const { rows } = this.#parts;
    if (listing.next === 'end') {
      rows.dropUnconfirmed();
    } else if (listing.reached !== undefined) {
      rows.dropUnconfirmed(listing.reached);
    }
    const isCut = rows.hasLeftOut || (rows.isFull && listing.next === 'page');
    this.more = isCut ? listTooLong() : moreBehind(listing, found);
  }
}

const maxSessions = 200;

/** Buffers patches for sessions that aren't listed yet (T-19). Bounded: the oldest are dropped first. */
export class EarlyPatches {
  readonly #patches = new Map<string, SessionInfoPatch>();

  /** Returns true for the first patch of a session. */
  add(sessionId: string, patch: SessionInfoPatch): boolean {
    const earlier = this.#patches.get(sessionId);
    this.#patches.delete(sessionId);
    this.#patches.set(sessionId, mergeInfoPatches(earlier, patch));
    if (this.#patches.size > maxSessions) {
      for (const oldest of this.#patches.keys()) {
        this.#patches.delete(oldest);
        break;
      }
    }
    return earlier === undefined;
  }

  take(sessionId: string): SessionInfoPatch | undefined {
    const patch = this.#patches.get(sessionId);
    this.#patches.delete(sessionId);
    return patch;
  }
}
