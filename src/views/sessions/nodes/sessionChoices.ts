import type { Agent } from '../../../model/agent';
import { storedState } from '../../../platform/storage/storedState';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import { isObject } from '../../../util/json';

const { key } = storedState.choices;

/** The states to filter by; several of them show their union. */
export const filterStates = ['open', 'unread', 'review', 'pinned', 'archived'] as const;
export type FilterState = (typeof filterStates)[number];

export interface SessionFilter {
  /** The states that are shown; none: all but archived sessions. */
  readonly states: readonly FilterState[];
  /** IDs of the agents to show; none: all. */
  readonly agents: readonly string[];
  /** Words that must occur in the title, folder or agent; empty: any. */
  readonly text: string;
}

export type Grouping = 'date' | 'folder' | 'review' | 'none';
export type Sorting = 'time' | 'title';
/** The folders shown: those of the workspace, or all for which an agent has sessions. */
export type Scope = 'workspace' | 'all';

interface Stored {
  readonly filter: SessionFilter;
  readonly byFolder: boolean;
  readonly byReview: boolean;
  readonly scope: Scope;
  /** Whether sessions are grouped by folder for the scope `all`. */
  readonly allByFolder: boolean;
  readonly sorting: Sorting;
  readonly showsHidden: boolean;
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

/** How the user wants this workspace's sessions shown: folders, filter, grouping, order, and hidden sessions. */
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

  /** Grouping by folder or review is stored for the workspace and takes precedence over the setting for dates. */
  get grouping(): Grouping {
    if (this.#stored.byReview) {
      return 'review';
    }
    if (this.#stored.scope === 'all' ? this.#stored.allByFolder : this.#stored.byFolder) {
      return 'folder';
    }
    return this.#setting.groupByDate ? 'date' : 'none';
  }

  /** Whether sessions that a rule of the settings hides are shown. */
  get showsHidden(): boolean {
    return this.#stored.showsHidden;
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

  async setGrouping(grouping: Grouping): Promise<void> {
    const byReview = grouping === 'review';
    const byFolder = grouping === 'folder';
    this.#set({
      byReview,
      ...(this.#stored.scope === 'all' ? { allByFolder: byFolder } : { byFolder }),
    });
    if (!byFolder && !byReview) {
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
  return {
    filter: {
      states: filterStates.filter((state) => states.includes(state)),
      agents: strings(filter['agents']),
      text: typeof filter['text'] === 'string' ? filter['text'].slice(0, maxFilterLength) : '',
    },
    byFolder: value['byFolder'] === true,
    byReview: value['byReview'] === true,
    scope: value['scope'] === 'all' ? 'all' : 'workspace',
    allByFolder: value['allByFolder'] !== false,
    sorting: value['sorting'] === 'title' ? 'title' : 'time',
    showsHidden: value['showsHidden'] === true,
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
