import type { Agent } from '../../../model/agent';
import { storedState } from '../../../platform/storage/storedState';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import { isObject } from '../../../util/json';

const { key } = storedState.choices;

/** The states to filter by; several of them show their union. */
export const filterStates = ['open', 'unread', 'review', 'pinned', 'worktree', 'archived'] as const;
export type FilterState = (typeof filterStates)[number];

export interface SessionFilter {
  /** The states that are shown; none: all but archived sessions. */
  readonly states: readonly FilterState[];
  /** IDs of the agents to show; none: all. */
  readonly agents: readonly string[];
  /** Words that must occur in the title, folder or agent; empty: any. */
  readonly text: string;
}

/**
 * `agent`: each agent's rows below its own, by date if the setting says so; with the others, those of all agents are one
 * list. `own`: in the groups that the user has made, with all others below.
 */
export type Grouping = 'agent' | 'date' | 'folder' | 'state' | 'own' | 'none';
/** The groupings that the workspace remembers; `time`: by date or not at all, as the setting says. */
const storedGroupings = ['time', 'agent', 'folder', 'state', 'own'] as const;
type StoredGrouping = (typeof storedGroupings)[number];
export type Sorting = 'time' | 'title';
/** The folders shown: those of the workspace, or all for which an agent has sessions. */
export type Scope = 'workspace' | 'all';

/** What a row says after its title, as far as there is anything to say. */
export const rowDetails = ['time', 'changes', 'folder'] as const;
export type RowDetail = (typeof rowDetails)[number];

interface Stored {
  readonly filter: SessionFilter;
  readonly grouping: StoredGrouping;
  readonly scope: Scope;
  /** The grouping for the scope `all`. */
  readonly allGrouping: StoredGrouping;
  readonly sorting: Sorting;
  readonly showsHidden: boolean;
  readonly showsArchived: boolean;
  readonly details: readonly RowDetail[];
}

const noFilter: SessionFilter = { states: [], agents: [], text: '' };

/** Maximum length of a filter text, in UTF-16 code units. */
export const maxFilterLength = 200;

/** Storage in which choices outlive the window. */
export interface ChoicesMemento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface GroupingSetting {
  readonly groupByDate: boolean;
  readonly onDidChangeGroupByDate: Event<void>;
  setGroupByDate(value: boolean): Promise<void>;
}

/** How the user wants this workspace's sessions shown: which ones, in which groups and order, and with which details. */
export class SessionChoices implements Disposable {
  readonly #memento: ChoicesMemento;
  readonly #setting: GroupingSetting;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #stored: Stored;

  constructor(memento: ChoicesMemento, setting: GroupingSetting) {
    this.#memento = memento;
    this.#setting = setting;
    this.#stored = read(memento.get(key));
    this.#store.add(setting.onDidChangeGroupByDate(() => this.#changed.fire()));
  }

  get filter(): SessionFilter {
    return this.#stored.filter;
  }

  get isFiltered(): boolean {
    const { states, agents, text } = this.#stored.filter;
    return states.length > 0 || agents.length > 0 || text !== '';
  }

  /** Whether rows that were only read ahead show, too: what is looked for may be among them. */
  get showsAhead(): boolean {
    const { states, text } = this.#stored.filter;
    return states.length > 0 || text !== '';
  }

  get sorting(): Sorting {
    return this.#stored.sorting;
  }

  get scope(): Scope {
    return this.#stored.scope;
  }

  /**
   * Whether an agent's sessions show whatever their folder is: the folders of another machine are not those of the
   * workspace, unless the settings say which ones are.
   */
  showsAll({ config: { remote } }: Pick<Agent, 'config'>): boolean {
    return this.#stored.scope === 'all' || remote?.pathMappings.length === 0;
  }

  get grouping(): Grouping {
    const { scope, grouping, allGrouping } = this.#stored;
    const chosen = scope === 'all' ? allGrouping : grouping;
    return chosen === 'time' ? this.timeGrouping : chosen;
  }

  /** The grouping of the rows among which no agents' rows show. */
  get rowGrouping(): Exclude<Grouping, 'agent'> {
    const { grouping } = this;
    return grouping === 'agent' ? this.timeGrouping : grouping;
  }

  /** The grouping of rows by time or not at all, as the setting says. */
  get timeGrouping(): 'date' | 'none' {
    return this.#setting.groupByDate ? 'date' : 'none';
  }

  /** Whether sessions that a rule of the settings hides are shown. */
  get showsHidden(): boolean {
    return this.#stored.showsHidden;
  }

  /** Whether archived sessions are shown among the others. */
  get showsArchived(): boolean {
    return this.#stored.showsArchived;
  }

  get details(): readonly RowDetail[] {
    return this.#stored.details;
  }

  setFilter(filter: SessionFilter): void {
    this.#set({ filter });
  }

  clearFilter(): void {
    this.#set({ filter: noFilter });
  }

  setSorting(sorting: Sorting): void {
    this.#set({ sorting });
  }

  setScope(scope: Scope): void {
    this.#set({ scope });
  }

  setShowsHidden(showsHidden: boolean): void {
    this.#set({ showsHidden });
  }

  setShowsArchived(showsArchived: boolean): void {
    this.#set({ showsArchived });
  }

  setDetails(details: readonly RowDetail[]): void {
    this.#set({ details });
  }

  async setGrouping(grouping: Grouping): Promise<void> {
    const isByTime = grouping === 'date' || grouping === 'none';
    const chosen = isByTime ? 'time' : grouping;
    this.#set(this.#stored.scope === 'all' ? { allGrouping: chosen } : { grouping: chosen });
    if (isByTime) {
      await this.#setting.setGroupByDate(grouping === 'date');
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #set(changes: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...changes };
    void this.#memento.update(key, this.#stored);
    this.#changed.fire();
  }
}

function read(stored: unknown): Stored {
  const value = isObject(stored) ? stored : {};
  const filter = isObject(value['filter']) ? value['filter'] : {};
  const states = strings(filter['states']);
  const details = value['details'];
  return {
    filter: {
      states: filterStates.filter((state) => states.includes(state)),
      agents: strings(filter['agents']),
      text: typeof filter['text'] === 'string' ? filter['text'].slice(0, maxFilterLength) : '',
    },
    grouping: storedGroupings.find((each) => each === value['grouping']) ?? 'time',
    scope: value['scope'] === 'all' ? 'all' : 'workspace',
    allGrouping: storedGroupings.find((each) => each === value['allGrouping']) ?? 'folder',
    sorting: value['sorting'] === 'title' ? 'title' : 'time',
    showsHidden: value['showsHidden'] === true,
    showsArchived: value['showsArchived'] === true,
    details: Array.isArray(details)
      ? rowDetails.filter((each) => details.includes(each))
      : rowDetails,
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
