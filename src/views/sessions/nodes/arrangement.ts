import type { Agent, SessionRow } from '../../../model/agent';
import type { ProvidedReviews } from '../../../model/changes/providedReviews';
import type { KeptWork } from '../../../model/kept/keptWork';
import { getKey } from '../../../model/list/sessionInfo';
import type { SessionMarks } from '../../../model/marks/marks';
import { originOf } from '../../../model/marks/origin';
import type { OwnGroup, OwnGroups } from '../../../model/marks/ownGroups';
import type { SessionPlaces } from '../../../model/places/sessionPlaces';
import type { Session } from '../../../model/session/session';
import { fold } from '../../../model/text/searchWords';
import { language } from '../../../shared/language';
import type { SessionRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import type { Attention } from '../../attention/attention';
import type { RowPlace } from './folderFacts';
import { getNeed } from './needs';
import type { RowFacts, RowOrigin } from './rowFacts';
import type { FilterState, SessionChoices } from './sessionChoices';

/** Sessions that continue one that are named at most. */
const maxRelatives = 3;

export interface ArrangementParts {
  readonly marks: Pick<SessionMarks, 'get' | 'getBranches' | 'isUnread' | 'onDidChange'>;
  readonly groups: Pick<OwnGroups, 'all' | 'find' | 'of' | 'onDidChange'>;
  readonly choices: SessionChoices;
  /** The rules of the setting `acpSessions.hiddenSessions`. */
  readonly rules: {
    hidden(titles: readonly string[]): ReadonlySet<string>;
    readonly onDidChange: Event<void>;
  };
  readonly sessions: {
    find(agentId: string, sessionId: string): Session | undefined;
    readonly onDidChange: Event<Session>;
  };
  readonly places: SessionPlaces;
  readonly attention: Pick<Attention, 'isUnread' | 'isVisible' | 'onDidChange'>;
  readonly work: Pick<KeptWork, 'isInterrupted' | 'onDidChange'>;
  readonly reviews: Pick<ProvidedReviews, 'pendingIn' | 'onDidChange'>;
}

/** Which rows the tree shows, where and in which order, by the user's marks and choices. */
export class Arrangement implements RowRules, Disposable {
  readonly choices: SessionChoices;
  readonly #parts: ArrangementParts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #moved = this.#store.add(new Emitter<void>());
  readonly #open = new WeakSet<Session>();
  /** Rows may have appeared, disappeared, moved or changed their look. */
  readonly onDidChange = this.#changed.event;
  /** Rows may have moved between the user's groups. No other row looks different: thousands needn't be compared. */
  readonly onDidMove = this.#moved.event;

  constructor(parts: ArrangementParts) {
    this.#parts = parts;
    const { marks, groups, choices, rules, sessions, places, attention, work, reviews } = parts;
    this.choices = choices;
    const changed = (): void => this.#changed.fire();
    this.#store.add(marks.onDidChange(changed));
    this.#store.add(groups.onDidChange(() => this.#moved.fire()));
    this.#store.add(work.onDidChange(changed));
    this.#store.add(reviews.onDidChange(changed));
    this.#store.add(choices.onDidChange(changed));
    this.#store.add(rules.onDidChange(changed));
    this.#store.add(places.gone.onDidChange(changed));
    this.#store.add(places.moved.onDidChange(changed));
    // Other changes of a session affect which rows show only under a filter; the tree updates the
    // rows' look.
    const live = (): void => {
      if (choices.filter.states.length > 0) {
        changed();
      }
    };
    this.#store.add(
      sessions.onDidChange((session) => (this.#noteOpen(session) ? changed() : live())),
    );
    this.#store.add(attention.onDidChange(live));
  }

  /** The agents that the filter includes; all agents if it names none that still exists. */
  getAgents<T extends Pick<Agent, 'id'>>(all: readonly T[]): readonly T[] {
    const left = all.filter(({ id }) => this.choices.filter.agents.includes(id));
    return left.length === 0 ? all : left;
  }

  getFacts({ agentId, info, updatedAt }: SessionRow): RowFacts {
    const { marks, groups, sessions, attention, work, reviews } = this.#parts;
    const { sessionId } = info;
    const group = groups.of(agentId, sessionId);
    const { pinned, alias, origin, ...mark } = marks.get(agentId, sessionId);
    const archived = mark.archived || info.archived === true;
    const session = sessions.find(agentId, sessionId);
    const isUnread = session !== undefined && attention.isUnread(session);
    const unread = isUnread || marks.isUnread(agentId, sessionId, updatedAt);
    const open = session !== undefined;
    const interrupted = !open && work.isInterrupted(agentId, sessionId);
    const review = reviews.pendingIn(agentId, sessionId) > 0;
    return {
      ...{ pinned, archived, alias, unread, open, interrupted, review },
      ...(group && { group }),
      ...(origin && { origin: { key: getKey(originOf(agentId, origin)), turn: origin.turn } }),
    };
  }

  /**
   * The place of a row among those that need the user; `undefined`: it doesn't. One that did (`before`) stays as long
   * as the user looks at it, so that no row moves below a click on it.
   */
  getNeed(row: SessionRow, facts = this.getFacts(row), before?: number): number | undefined {
    const { sessions, attention } = this.#parts;
    const session = sessions.find(row.agentId, row.info.sessionId);
    const isUnread = session !== undefined && attention.isUnread(session);
    const stays = session !== undefined && attention.isVisible(session) && !facts.archived;
    return getNeed(row, facts, session, isUnread) ?? (stays ? before : undefined);
  }

  findAlias({ agentId, info }: SessionRow): string | undefined {
    return this.#parts.marks.get(agentId, info.sessionId).alias;
  }

  /** The user's groups, in order. */
  get groups(): readonly OwnGroup[] {
    return this.#parts.groups.all;
  }

  /** The user's group that a row is in. */
  groupOf({ agentId, info }: SessionRow): OwnGroup | undefined {
    const { groups } = this.#parts;
    const at = groups.of(agentId, info.sessionId);
    return at && groups.find(at.group);
  }

  /** The session that one continues with another agent, and the latest ones that continue it. */
  relativesOf(
    agentId: string,
    sessionId: string,
  ): { readonly origin: SessionRef | undefined; readonly continued: readonly SessionRef[] } {
    const { marks } = this.#parts;
    const { origin } = marks.get(agentId, sessionId);
    const continued = marks
      .getBranches(agentId, sessionId)
      .filter((branch) => branch.origin.agentId !== undefined);
    return {
      origin: origin?.agentId === undefined ? undefined : originOf(agentId, origin),
      continued: continued.slice(-maxRelatives),
    };
  }

  getPlace({ agentId, info }: SessionRow): RowPlace {
    const { places } = this.#parts;
    const cwd = places.moved.getPlace(agentId, info.cwd);
    const worktree = places.worktreeAt(cwd);
    return { cwd, moved: cwd !== info.cwd, gone: places.gone.has(cwd), worktree };
  }

  readonly isInWorktree = (row: SessionRow): boolean => this.getPlace(row).worktree !== undefined;

  hidden(titles: readonly string[]): ReadonlySet<string> {
    return this.#parts.rules.hidden(titles);
  }

  /** True when the session was opened or closed since the last call. */
  #noteOpen(session: Session): boolean {
    const { agent, info } = session;
    const isOpen = this.#parts.sessions.find(agent.id, info.sessionId) !== undefined;
    if (isOpen === this.#open.has(session)) {
      return false;
    }
    if (isOpen) {
      this.#open.add(session);
    } else {
      this.#open.delete(session);
    }
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** What decides which rows show, and in which order. */
interface RowRules {
  /** The user's own name of the session. */
  findAlias(row: SessionRow): string | undefined;
  readonly choices: Pick<
    SessionChoices,
    'filter' | 'sorting' | 'showsAhead' | 'showsHidden' | 'showsArchived'
  >;
  getFacts(row: SessionRow): RowFacts;
  /** Whether its session works in a worktree beside the main one. */
  readonly isInWorktree: (row: SessionRow) => boolean;
  /** The place of a row among those that need the user, of which `before` is its last one. */
  getNeed(row: SessionRow, facts: RowFacts, before: number | undefined): number | undefined;
  /** The titles among these that a rule hides. */
  hidden(titles: readonly string[]): ReadonlySet<string>;
}

/** Rows to arrange, and what is known of them. */
interface ArrangedRows {
  readonly rows: readonly SessionRow[];
  /** How many of the first rows are in order, whatever is still read. */
  readonly sure: number;
  /** The text besides titles in which the filter's words may occur. */
  readonly surroundings: (row: SessionRow) => string;
  /** The row's last place among those that need the user. */
  readonly needBefore: (key: string) => number | undefined;
  /** Whether rows stand in the user's groups. */
  readonly inGroups: boolean;
}

interface Arranged {
  /** The rows that need the user, the most urgent first, each with its place. */
  readonly needing: ReadonlyMap<SessionRow, number>;
  /** The rows in the user's groups, in order, each with the id of its group. */
  readonly grouped: ReadonlyMap<SessionRow, string>;
  readonly pinned: Families;
  readonly rest: Families;
  /** The number of rows that a rule hides, or would hide if hidden ones weren't shown. */
  readonly hidden: number;
}

const titles = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

/**
 * The rows to show, in order, branches under their origins. Rows read ahead, or whose place isn't certain yet, are left out
 * unless a filter is set or they concern the user.
 */
export function arrange(
  { rows, sure, surroundings, needBefore, inGroups }: ArrangedRows,
  rules: RowRules,
): Arranged {
  const { filter, showsHidden, showsAhead } = rules.choices;
  const words = fold(filter.text).split(' ').filter(Boolean);
  const around = new Map<string, string>();
  // Most rows have the same agent and folder around them.
  const foldAround = (row: SessionRow): string => {
    const text = surroundings(row);
    const folded = around.get(text) ?? fold(text);
    around.set(text, folded);
    return folded;
  };
  const matching: KnownRow[] = [];
  rows.forEach((row, index) => {
    // Most rows don't match what is typed: all that is known of the others needn't be gathered.
    if (!hasWords(row, rules, words, foldAround)) {
      return;
    }
    const facts = rules.getFacts(row);
    if (passes(row, facts, rules)) {
      const need = rules.getNeed(row, facts, needBefore(row.key));
      const isBehind = row.ahead === true || index >= sure;
      if (!isBehind || showsAhead || need !== undefined || isWanted(facts)) {
        matching.push({ row, facts, need });
      }
    }
  });
  const noisy = rules.hidden(matching.map(({ row }) => row.title));
  const isHidden = ({ row, facts }: KnownRow): boolean => noisy.has(row.title) && !isWanted(facts);
  const shown = showsHidden ? matching : matching.filter((item) => !isHidden(item));
  return { ...inOrder(shown, rules, inGroups), hidden: matching.filter(isHidden).length };
}

interface KnownRow {
  readonly row: SessionRow;
  readonly facts: RowFacts;
  readonly need: number | undefined;
}

function inOrder(
  shown: KnownRow[],
  { choices }: RowRules,
  inGroups: boolean,
): Omit<Arranged, 'hidden'> {
  if (choices.sorting === 'title') {
    shown.sort((a, b) =>
      titles.compare(a.facts.alias ?? a.row.title, b.facts.alias ?? b.row.title),
    );
  }
  const needing = shown.flatMap(({ row, need }) =>
    need === undefined ? [] : [[row, need] as const],
  );
  const isGrouped = ({ facts }: KnownRow): boolean => inGroups && facts.group !== undefined;
  const rest = shown.filter(({ need }) => need === undefined);
  const others = rest.filter((item) => !isGrouped(item));
  const origins = new Map(
    others.flatMap(({ row, facts: { origin } }) => (origin ? [[row.key, origin]] : [])),
  );
  const together = (members: readonly KnownRow[]): Families =>
    getFamilies(
      members.map(({ row }) => row),
      ({ key }) => origins.get(key),
    );
  return {
    grouped: getGrouped(rest.filter(isGrouped)),
    needing: new Map(needing.toSorted(([, a], [, b]) => a - b)),
    pinned: together(others.filter(({ facts }) => facts.pinned)),
    rest: together(others.filter(({ facts }) => !facts.pinned)),
  };
}

/** Rows by their places in the user's groups. */
function getGrouped(rows: readonly KnownRow[]): ReadonlyMap<SessionRow, string> {
  const known = rows.flatMap(({ row, facts: { group } }) => (group ? [{ row, ...group }] : []));
  const inOrder = known.toSorted((a, b) => a.place - b.place || (a.row.key < b.row.key ? -1 : 1));
  return new Map(inOrder.map(({ row, group }) => [row, group]));
}

/** Rules never hide what the user has pinned, named, grouped or opened, or what was interrupted or waits for review. */
function isWanted({ pinned, alias, group, open, interrupted, review }: RowFacts): boolean {
  return pinned || open || interrupted || review || alias !== undefined || group !== undefined;
}

function hasWords(
  row: SessionRow,
  rules: Pick<RowRules, 'findAlias'>,
  words: readonly string[],
  foldAround: (row: SessionRow) => string,
): boolean {
  if (words.length === 0) {
    return true;
  }
  const texts = [foldedTitle(row), fold(rules.findAlias(row) ?? ''), foldAround(row)];
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** Titles without case and accents: each key that is typed compares all of them again. */
const foldedTitles = new WeakMap<SessionRow, string>();

function foldedTitle(row: SessionRow): string {
  const known = foldedTitles.get(row);
  const folded = known ?? fold(row.title);
  if (known === undefined) {
    foldedTitles.set(row, folded);
  }
  return folded;
}

function passes(row: SessionRow, facts: RowFacts, { choices, isInWorktree }: RowRules): boolean {
  const { filter, showsArchived } = choices;
  const { states } = filter;
  if (facts.archived) {
    return states.includes('archived') || (showsArchived && states.length === 0);
  }
  const holds = (state: FilterState): boolean =>
    state === 'worktree' ? isInWorktree(row) : facts[state];
  return states.length === 0 || states.some(holds);
}

/** Rows in which branches follow their origin. */
interface Families {
  readonly rows: readonly SessionRow[];
  /** The row that gives a family its place, by the keys of its members: the one that came first. */
  readonly leads: ReadonlyMap<string, SessionRow>;
}

const noLeads: Families['leads'] = new Map();

/**
 * Puts branches under their origin, in the order of the turns at which they were forked, and branches of branches under
 * those. A family is where its first row was, so that a new branch of an old session is as easy to find as any new
 * session. Origins that aren't among the rows, and circles, make no family.
 */
export function getFamilies(
  rows: readonly SessionRow[],
  findOrigin: (row: SessionRow) => RowOrigin | undefined,
): Families {
  const forked = rows.flatMap((row) => {
    const origin = findOrigin(row);
    return origin === undefined ? [] : [{ row, ...origin, origin: origin.key }];
  });
  if (forked.length === 0) {
    return { rows, leads: noLeads };
  }
  const present = new Set(rows.map(({ key }) => key));
  const parents = new Map(
    forked.flatMap(({ row, origin }) => (present.has(origin) ? [[row.key, origin] as const] : [])),
  );
  const roots = getRoots(parents);
  const children = new Map<string, SessionRow[]>();
  for (const { row } of forked.toSorted((a, b) => a.turn - b.turn)) {
    const parent = roots.has(row.key) ? parents.get(row.key) : undefined;
    if (parent !== undefined) {
      const others = children.get(parent) ?? [];
      others.push(row);
      children.set(parent, others);
    }
  }
  return gathered(rows, roots, children);
}

function gathered(
  rows: readonly SessionRow[],
  roots: ReadonlyMap<string, string>,
  children: ReadonlyMap<string, readonly SessionRow[]>,
): Families {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const together: SessionRow[] = [];
  const leads = new Map<string, SessionRow>();
  for (const lead of rows) {
    if (leads.has(lead.key)) {
      continue;
    }
    const root = byKey.get(roots.get(lead.key) ?? lead.key) ?? lead;
    const waiting = [root];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      together.push(row);
      leads.set(row.key, lead);
      waiting.push(...(children.get(row.key) ?? []).toReversed());
    }
  }
  return { rows: together, leads };
}

/** The first ancestor of each row that has a parent, by its key; none for rows that are, or come from, their own ancestor. */
function getRoots(parents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  const circular = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let key = start;
    for (;;) {
      const next = parents.get(key);
      if (path.has(key) || circular.has(key)) {
        for (const each of path) {
          circular.add(each);
        }
        break;
      }
      const known = roots.get(key) ?? (next === undefined ? key : undefined);
      if (known !== undefined) {
        for (const each of path) {
          roots.set(each, known);
        }
        break;
      }
      path.add(key);
      key = next ?? key;
    }
  }
  return roots;
}
