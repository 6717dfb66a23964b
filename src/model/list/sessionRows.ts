import type { SessionInfo } from '../../protocol/agentConnection';
import type { SessionInfoPatch } from '../../protocol/updates';
import { measureWeight } from '../../util/weight';
import type { SessionRow } from '../agent';
import { findTimestamp } from '../text/timestamps';
import { saysTitle } from '../text/titles';
import { getTitle } from './promptTitles';
import { applyInfoPatch, mergeInfoPatches, sessionKey } from './sessionInfo';

/** A row with its unique rank: rows of equal time are in ascending order of rank. */
interface RankedRow extends SessionRow {
  readonly rank: number;
  readonly ahead: boolean;
}

/** What a row is besides the session that it shows. */
type Place = Pick<RankedRow, 'rank' | 'ahead' | 'updatedAt' | 'unlisted'>;

/** The state of a listed session. */
interface Known {
  row: RankedRow;
  /** The last listing that named it. */
  listing: number;
  /** The session's `updatedAt` in that listing, in ms. */
  listedAt: number | undefined;
  /** Pushed changes that the agent's list doesn't show yet (INFO-7). */
  pushed: SessionInfoPatch | undefined;
  /** Created here and not listed yet: no listing is expected to name it. */
  held: boolean;
}

/** Maximum number of rows: more than a user looks through, and few enough for a window to hold. */
const maxRows = 100_000;

/** Maximum weight of all rows together, as `measureWeight` counts. */
const maxWeight = 64 * 1024 * 1024;
/** No row has more: an id, a title and `_meta` are short, and of folders there are 101. */
const maxRowWeight = 4 * 1024 * 1024;

/** Number of prefetched rows that are admitted at a time: about a page of most agents. */
const rowsAtATime = 50;

/** A page with more rows is sorted as a whole; the rows of a smaller one are inserted one by one. */
const largePage = 1_000;

/** Larger than any position in a listing, so that the ranks of two listings never overlap. */
const ranksPerListing = 2 ** 32;

/**
 * The rows of a list, each session once (T-4), in a total order. Adding a page costs what its length
 * does, not the number of rows; only a large page has all rows sorted, once.
 */
export class SessionRows {
  readonly #agentId: string;
  readonly #findPromptTitle: (sessionId: string) => string | undefined;
  readonly #isHidden: (sessionId: string) => boolean;
  #sorted: RankedRow[] = [];
  readonly #known = new Map<string, Known>();
  #listing = 0;
  #position = 0;
  /** The number of sessions that the current listing has named. */
  #confirmed = 0;
  #version = 0;
  /** The number of rows that `admit` would admit. */
  #waiting = 0;
  /** The weight of all rows. */
  #weight = 0;
  #hasLeftOut = false;
  /** A large page is being added: it is sorted when all its rows are there. */
  #isTaking = false;
  readonly #most: number;
  /** The time of the newest row that was remembered: where the remembered rows begin. */
  #recalledUpTo = -Infinity;

  constructor(
    agentId: string,
    findPromptTitle: (sessionId: string) => string | undefined = () => undefined,
    isHidden: (sessionId: string) => boolean = () => false,
    most = maxRows,
  ) {
    this.#agentId = agentId;
    this.#findPromptTitle = findPromptTitle;
    this.#isHidden = isHidden;
    this.#most = most;
  }

  get sorted(): readonly SessionRow[] {
    return this.#sorted;
  }

  /** Increases whenever anything but prefetched rows may have changed. */
  get version(): number {
    return this.#version;
  }

  /** Whether the list is full, in rows or in what they say: new rows are dropped. */
  get isFull(): boolean {
    return this.#known.size >= this.#most || this.#weight > maxWeight - maxRowWeight;
  }

  /** Whether the current listing has named sessions that were dropped. */
  get hasLeftOut(): boolean {
    return this.#hasLeftOut;
  }

  /** Whether there are prefetched rows that `admit` would admit. */
  get hasAhead(): boolean {
    return this.#waiting > 0;
  }

  get(sessionId: string): SessionRow | undefined {
    return this.#known.get(sessionId)?.row;
  }

  /** Begins a new listing; rows of earlier listings stay until this one confirms or drops them. */
  beginListing(): void {
    this.#listing++;
    this.#position = 0;
    this.#confirmed = 0;
    this.#hasLeftOut = false;
  }

  /** Adds the sessions of one page; returns true when one of them is new. */
  addPage(
    page: readonly SessionInfo[],
    findEarlyPatch: (sessionId: string) => SessionInfoPatch | undefined,
    ahead = false,
  ): boolean {
    this.#isTaking = page.length > largePage;
    let added = false;
    for (const info of page) {
      added = this.add(info, findEarlyPatch(info.sessionId), ahead) || added;
    }
    if (this.#isTaking) {
      this.#isTaking = false;
      this.#sorted = Array.from(this.#known.values(), ({ row }) => row).sort(compareRows);
    }
    return added;
  }

  /**
   * Adds one listed session, with the changes that were pushed before it was listed. `ahead`: it was
   * prefetched. Returns true when it is new.
   */
  add(info: SessionInfo, early?: SessionInfoPatch, ahead = false): boolean {
    if (this.#isHidden(info.sessionId)) {
      return false;
    }
    const listedAt = findTimestamp(info.updatedAt);
    const known = this.#known.get(info.sessionId);
    if (known === undefined) {
      if (this.isFull) {
        this.#hasLeftOut = true;
        return false;
      }
      const pushed = isOutdated(early, listedAt) ? undefined : early;
      const row = this.#row(info, pushed, {
        rank: this.#nextRank(),
        ahead,
        updatedAt: listedAt,
      });
      const listing = this.#listing;
      this.#known.set(info.sessionId, { row, listing, listedAt, pushed, held: false });
      this.#waiting += Number(isWaiting(row));
      this.#weight += measureWeight(row.info);
      this.#insert(row);
      this.#confirmed++;
      return true;
    }
    known.held = false;
    if (!ahead) {
      this.#admit(known);
    }
    if (known.listing !== this.#listing) {
      known.listing = this.#listing;
      this.#confirmed++;
      this.#relist(known, info, listedAt, this.#nextRank());
    } else if (isAfter(listedAt, known.listedAt)) {
      this.#relist(known, info, listedAt, known.row.rank);
    }
    return false;
  }

  /** Admits the first `most` prefetched rows; returns true when there was one. */
  admit(most = rowsAtATime): boolean {
    const admitted = this.hasAhead ? this.#sorted.filter(isWaiting).slice(0, most) : [];
    for (const { info } of admitted) {
      this.#admit(this.#known.get(info.sessionId));
    }
    return admitted.length > 0;
  }

  /** Adds the remembered sessions, in its order, until a listing names or disproves them. */
  recall(remembered: readonly SessionInfo[]): void {
    for (const info of remembered) {
      const listedAt = findTimestamp(info.updatedAt);
      if (!this.#known.has(info.sessionId)) {
        this.#addUnlisted(info, listedAt, 'remembered');
        this.#recalledUpTo = Math.max(this.#recalledUpTo, listedAt ?? -Infinity);
      }
    }
  }

  /** Drops what is only remembered; returns whether there was anything. */
  forgetRecalled(): boolean {
    return this.#drop(({ row }) => row.unlisted === 'remembered');
  }

  /** Adds a session created here, which stays until it is listed or released. True when it is new. */
  hold(info: SessionInfo, early?: SessionInfoPatch): boolean {
    if (this.#known.has(info.sessionId)) {
      return false;
    }
    this.#addUnlisted(info, findTimestamp(info.updatedAt), 'created', early);
    return true;
  }

  #addUnlisted(
    info: SessionInfo,
    listedAt: number | undefined,
    unlisted: NonNullable<SessionRow['unlisted']>,
    pushed?: SessionInfoPatch,
  ): void {
    const place = { rank: this.#nextRank(), ahead: false, updatedAt: listedAt, unlisted };
    const row = this.#row(info, pushed, place);
    const held = unlisted === 'created';
    this.#known.set(info.sessionId, { row, listing: -1, listedAt, pushed, held });
    this.#weight += measureWeight(row.info);
    this.#insert(row);
  }

  isHeld(sessionId: string): boolean {
    return this.#known.get(sessionId)?.held === true;
  }

  /** Releases a held row: from now on it stays only if the agent lists it. */
  letGo(sessionId: string): void {
    const known = this.#known.get(sessionId);
    if (known !== undefined) {
      known.held = false;
    }
  }

  /** Applies a push; `undefined` when the session isn't listed. `moved`: the row's index has changed. */
  push(
    sessionId: string,
    patch: SessionInfoPatch,
  ): { row: SessionRow; moved: boolean } | undefined {
    const known = this.#known.get(sessionId);
    if (known === undefined) {
      return undefined;
    }
    const from = this.#getIndex(known.row);
    const { row: before } = known;
    // A session with activity belongs to the recent ones, so it is admitted.
    const ahead = before.ahead && patch.updatedAt === undefined;
    const after = this.#row(before.info, patch, { ...before, ahead }, before);
    if (after.info !== before.info) {
      known.pushed = mergeInfoPatches(known.pushed, patch);
    }
    this.#replace(known, after);
    const moved = this.#getIndex(known.row) !== from || ahead !== before.ahead;
    return { row: known.row, moved };
  }

  /** Marks a session as archived or not; returns true when it is listed. */
  setArchived(sessionId: string, archived: boolean): boolean {
    const known = this.#known.get(sessionId);
    if (known === undefined) {
      return false;
    }
    this.#replace(known, { ...known.row, info: { ...known.row.info, archived } });
    return true;
  }

  /** Drops one row; returns whether it existed. */
  remove(sessionId: string): boolean {
    const known = this.#known.get(sessionId);
    if (known === undefined) {
      return false;
    }
    this.#sorted.splice(this.#getIndex(known.row), 1);
    this.#version++;
    this.#waiting -= Number(isWaiting(known.row));
    this.#weight -= measureWeight(known.row.info);
    this.#known.delete(sessionId);
    if (known.listing === this.#listing) {
      this.#confirmed--;
    }
    return true;
  }

  /**
   * Drops the rows that the current listing should have named by now but didn't: all of them, or with
   * `newerThan` (ms) those that were last listed as newer than that. Remembered rows also go if there may be others,
   * which nothing has named, between them and those of the listing: a list has no holes.
   */
  dropUnconfirmed(newerThan = -Infinity): void {
    if (this.#confirmed === this.#known.size) {
      return;
    }
    const isApart = newerThan > this.#recalledUpTo;
    this.#drop(({ row, listing, listedAt, held }) => {
      const expected =
        newerThan === -Infinity ||
        (listedAt !== undefined && listedAt > newerThan) ||
        (isApart && row.unlisted === 'remembered');
      return listing !== this.#listing && expected && !held;
    });
  }

  /** Drops rows that the current listing hasn't named. */
  #drop(isGone: (known: Known) => boolean): boolean {
    const gone = new Set<SessionRow>();
    for (const [sessionId, known] of this.#known) {
      if (isGone(known)) {
        gone.add(known.row);
        this.#waiting -= Number(isWaiting(known.row));
        this.#weight -= measureWeight(known.row.info);
        this.#known.delete(sessionId);
      }
    }
    if (gone.size > 0) {
      this.#version++;
      this.#sorted = this.#sorted.filter((row) => !gone.has(row));
    }
    return gone.size > 0;
  }

  /** A new listing, or a later page, has named a known session again. */
  #relist(known: Known, info: SessionInfo, listedAt: number | undefined, rank: number): void {
    const { info: shown, updatedAt: shownAt } = known.row;
    const caughtUp = info.title === shown.title && info.updatedAt === shown.updatedAt;
    const newer = isAfter(listedAt, shownAt) && isAfter(listedAt, known.listedAt);
    if (caughtUp || newer) {
      known.pushed = undefined;
    }
    known.listedAt = listedAt;
    const place = { rank, ahead: known.row.ahead, updatedAt: listedAt };
    this.#replace(known, this.#row(info, known.pushed, place, known.row));
  }

  #admit(known: Known | undefined): void {
    if (known?.row.ahead) {
      this.#replace(known, { ...known.row, ahead: false });
    }
  }

  /** The third parameter's `updatedAt` is the time of `listed`, already parsed. */
  #row(
    listed: SessionInfo,
    pushed: SessionInfoPatch | undefined,
    { rank, ahead, updatedAt, unlisted }: Place,
    before?: RankedRow,
  ): RankedRow {
    const told = this.#titled(pushed === undefined ? listed : applyInfoPatch(listed, pushed));
    const info = before !== undefined && !this.#hasRoom(told, before.info) ? before.info : told;
    return {
      key: before?.key ?? sessionKey(this.#agentId, info.sessionId),
      agentId: this.#agentId,
      info,
      title: before && isTitledAlike(before.info, info) ? before.title : getTitle(info),
      updatedAt: info.updatedAt === listed.updatedAt ? updatedAt : findTimestamp(info.updatedAt),
      rank,
      ahead,
      ...(unlisted && { unlisted }),
    };
  }

  /** The session with what stands in for a title that its agent hasn't given. */
  #titled(info: SessionInfo): SessionInfo {
    const promptTitle = saysTitle(info.title) ? undefined : this.#findPromptTitle(info.sessionId);
    return promptTitle === undefined || promptTitle === info.promptTitle
      ? info
      : { ...info, promptTitle };
  }

  /** Whether a row may say this in place of what it has said. */
  #hasRoom(info: SessionInfo, before: SessionInfo): boolean {
    const more = info === before ? 0 : measureWeight(info) - measureWeight(before);
    return more <= 0 || this.#weight + more <= maxWeight;
  }

  /**
   * The next rank: among rows of equal time, a newer listing's come first, and each listing's are in the agent's
   * order.
   */
  #nextRank(): number {
    return this.#position++ - this.#listing * ranksPerListing;
  }

  #replace(known: Known, row: RankedRow): void {
    if (!known.row.ahead || !row.ahead) {
      this.#version++;
    }
    this.#waiting += Number(isWaiting(row)) - Number(isWaiting(known.row));
    if (row.info !== known.row.info) {
      this.#weight += measureWeight(row.info) - measureWeight(known.row.info);
    }
    if (this.#isTaking) {
      known.row = row;
      return;
    }
    const index = this.#getIndex(known.row);
    if (compareRows(known.row, row) === 0) {
      this.#sorted[index] = row;
    } else {
      this.#sorted.splice(index, 1);
      this.#insert(row);
    }
    known.row = row;
  }

  #insert(row: RankedRow): void {
    if (!row.ahead) {
      this.#version++;
    }
    if (this.#isTaking) {
      return;
    }
    const last = this.#sorted.at(-1);
    if (last === undefined || compareRows(last, row) < 0) {
      this.#sorted.push(row);
    } else {
      this.#sorted.splice(this.#getIndex(row), 0, row);
    }
  }

  /** The index of the row, or where it would have to be inserted. */
  #getIndex(row: RankedRow): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && compareRows(other, row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Whether the list is certainly newer than a patch that was pushed before the session was listed. */
function isOutdated(early: SessionInfoPatch | undefined, listedAt: number | undefined): boolean {
  const pushedAt = findTimestamp(early?.updatedAt ?? undefined);
  return pushedAt !== undefined && isAfter(listedAt, pushedAt);
}

function isTitledAlike(one: SessionInfo, other: SessionInfo): boolean {
  return one.title === other.title && one.promptTitle === other.promptTitle;
}

/** Any time is after `undefined`. */
function isAfter(time: number | undefined, other: number | undefined): boolean {
  return time !== undefined && time > (other ?? -Infinity);
}

/** Whether `admit` may admit the row. Archived rows show only under a filter, which reads all pages. */
function isWaiting({ ahead, info }: RankedRow): boolean {
  return ahead && info.archived !== true;
}

/** Newest first, undated last, then by rank: never 0 for different sessions. */
function compareRows(a: RankedRow, b: RankedRow): number {
  const aTime = a.updatedAt ?? -Infinity;
  const bTime = b.updatedAt ?? -Infinity;
  return aTime === bTime ? a.rank - b.rank : bTime > aTime ? 1 : -1;
}
