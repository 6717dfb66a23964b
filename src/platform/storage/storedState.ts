import type { ExtensionContext } from 'vscode';
import { iconsKey, newerVersionsKey } from '../../model/agents/registryFacts';
import { promptTitlesKey } from '../../model/list/promptTitles';
import { listsKey } from '../../model/list/rememberedLists';
import { rememberedKey } from '../../model/list/rememberedSessions';
import { getKey } from '../../model/list/sessionInfo';
import { groupsKey } from '../../model/marks/groupRecords';
import { marksKey } from '../../model/marks/markRecords';
import { type Origin, readOrigin, writeOrigin } from '../../model/marks/origin';
import { movedFoldersKey } from '../../model/places/movedFolders';
import { rootsKey } from '../../model/places/sessionRoots';
import type { KeyedStorage, SessionDefaults } from '../../model/ports';
import { parseSavedTranscript } from '../../shared/transcript/validators';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { asArray, isObject } from '../../util/json';
import { SharedState } from './sharedState';

/** Which windows share a value: all of them, or those of one workspace. */
type Scope = 'global' | 'workspace';

interface StoredEntry {
  readonly key: string;
  readonly scope: Scope;
}

/** An agent and a folder. */
export interface StoredPlace {
  readonly agentId: string;
  readonly cwd: string;
  /** The folder's name. */
  readonly name: string;
  /** Whether another place is made for it, such as a worktree. */
  readonly isMade?: boolean;
  /** Other agents that get the same prompt, by id, with what is chosen for them. */
  readonly others?: readonly (readonly [string, SessionDefaults])[];
  /** The session that its own one continues. */
  readonly origin?: Origin;
}

/** The most options of an agent whose values are kept, and the longest id or value. */
const maxFirstOptions = 50;
const maxFirstOption = 500;
/** The most other agents of a page that are kept. */
const maxOthers = 10;

/** A map whose oldest entries are dropped. */
export interface StoredMapEntry<V> extends StoredEntry {
  readonly most: number;
  /** Reads an entry that any version may have written; `undefined` if it is invalid. */
  readonly read: (entry: unknown) => readonly [string, V] | undefined;
  readonly write: (key: string, value: V) => unknown;
}

/**
 * What the core keeps in VS Code's state; features have theirs beside their code. Stored values may come from another version or window, so whoever
 * reads one validates it. Values without a reader here belong to a class that reads and bounds them itself.
 */
export const storedState = {
  /** `SessionMarks`; also in Settings Sync. */
  marks: { key: marksKey, scope: 'global' },
  /** `OwnGroups`; also in Settings Sync. */
  groups: { key: groupsKey, scope: 'global' },
  /** `MovedFolders` */
  movedFolders: { key: movedFoldersKey, scope: 'global' },
  /** `SessionRoots` */
  roots: { key: rootsKey, scope: 'global' },
  /** `RememberedSessions` */
  remembered: { key: rememberedKey, scope: 'workspace' },
  /** `RememberedLists` */
  lists: { key: listsKey, scope: 'workspace' },
  /** `PromptTitles` */
  promptTitles: { key: promptTitlesKey, scope: 'global' },
  /** `SessionChoices` */
  choices: { key: 'sessions.choices', scope: 'workspace' },
  /** `RegistryFacts` */
  newerVersions: { key: newerVersionsKey, scope: 'global' },
  /** `RegistryFacts` */
  icons: { key: iconsKey, scope: 'global' },
  /** Which nodes of the view the user has expanded or collapsed, by id. */
  expansion: asMap<boolean>({
    key: 'sessions.expansion',
    scope: 'workspace',
    most: 200,
    read: readExpansion,
    write: pair,
  }),
  /** What the user has chosen last for new sessions before they exist, by agent (T-140). */
  firstOptions: asMap<SessionDefaults>({
    key: 'sessions.firstOptions',
    scope: 'workspace',
    most: 50,
    read: readFirstOptions,
    write: pair,
  }),
  /** Where the pages of new sessions begin, by their ids, and where the last session began. */
  newPages: asMap<StoredPlace>({
    key: 'sessions.newPages',
    scope: 'workspace',
    most: 100,
    read: readPlace,
    write: (id, { origin, ...place }) => [
      id,
      origin === undefined ? place : { ...place, origin: writeOrigin(origin) },
    ],
  }),
  /** The sessions that were opened, by session key. VS Code remembers about as many editors. */
  openedSessions: asMap<SavedTranscript>({
    key: 'transcripts.opened',
    scope: 'workspace',
    most: 200,
    read: readOpened,
    write: (_, session) => session,
  }),
} as const satisfies Record<string, StoredEntry>;

/** VS Code's state, by scope; made once, because whoever changes a value must read it the same way as all others. */
export type WindowState = Readonly<Record<Scope, KeyedStorage>>;

export function windowState({
  globalState,
  workspaceState,
}: Pick<ExtensionContext, 'globalState' | 'workspaceState'>): WindowState {
  return { global: new SharedState(globalState), workspace: workspaceState };
}

/** The storage of the values with this scope. */
export function getMemento(state: WindowState, { scope }: StoredEntry): KeyedStorage {
  return state[scope];
}

/** A stored map; each change is stored, with what other windows have stored meanwhile. */
export class StoredMap<V> {
  readonly #memento: KeyedStorage;
  readonly #entry: StoredMapEntry<V>;
  #stored: unknown;
  #values: ReadonlyMap<string, V> = new Map();

  constructor(memento: KeyedStorage, entry: StoredMapEntry<V>) {
    this.#memento = memento;
    this.#entry = entry;
  }

  get(key: string): V | undefined {
    return this.#current.get(key);
  }

  /** The newest last. */
  get values(): readonly V[] {
    return [...this.#current.values()];
  }

  /** The value becomes the newest; `undefined` removes it. */
  set(key: string, value: V | undefined): void {
    const values = new Map(this.#current);
    values.delete(key);
    if (value !== undefined) {
      values.set(key, value);
    }
    const { most, write, key: stateKey } = this.#entry;
    const entries = [...values].slice(-most).map(([name, kept]) => write(name, kept));
    void this.#memento.update(stateKey, entries);
  }

  /** Read again only when another value is stored. */
  get #current(): ReadonlyMap<string, V> {
    const { key, most, read } = this.#entry;
    const stored: unknown = this.#memento.get(key);
    if (stored !== this.#stored) {
      this.#stored = stored;
      const entries = asArray(stored).flatMap((value) => {
        const entry = read(value);
        return entry === undefined ? [] : [entry];
      });
      this.#values = new Map(entries.slice(-most));
    }
    return this.#values;
  }
}

/** Ties the reader and the writer of an entry to one type. */
function asMap<V>(entry: StoredMapEntry<V>): StoredMapEntry<V> {
  return entry;
}

/** Writes an entry as its key and value. */
export function pair<V>(key: string, value: V): readonly [string, V] {
  return [key, value];
}

/** Reads what `pair` has written. */
export function readPair(entry: unknown): readonly [string, unknown] | undefined {
  const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return typeof key === 'string' ? [key, value] : undefined;
}

function readExpansion(entry: unknown): readonly [string, boolean] | undefined {
  const [id, isExpanded] = readPair(entry) ?? [];
  return id !== undefined && typeof isExpanded === 'boolean' ? [id, isExpanded] : undefined;
}

/** Ids and values are an agent's, and sent back unchanged: those that nobody would keep are left out. */
function readFirstOptions(entry: unknown): readonly [string, SessionDefaults] | undefined {
  const [agentId, values] = readPair(entry) ?? [];
  if (agentId === undefined || !isObject(values)) {
    return undefined;
  }
  const kept = Object.entries(values)
    .filter(([id]) => id.length <= maxFirstOption)
    .filter((pair): pair is [string, string | boolean] => {
      const [, value] = pair;
      return (
        typeof value === 'boolean' || (typeof value === 'string' && value.length <= maxFirstOption)
      );
    });
  return [agentId, Object.fromEntries(kept.slice(0, maxFirstOptions))];
}

function readPlace(entry: unknown): readonly [string, StoredPlace] | undefined {
  const [id, place] = readPair(entry) ?? [];
  if (id === undefined || !isObject(place)) {
    return undefined;
  }
  const { agentId, cwd, name, isMade } = place;
  const origin = place['origin'] === undefined ? undefined : readOrigin(place['origin']);
  const others = asArray(place['others']).flatMap((other) => {
    const read = readFirstOptions(other);
    return read === undefined ? [] : [read];
  });
  return typeof agentId === 'string' && typeof cwd === 'string' && typeof name === 'string'
    ? [
        id,
        {
          agentId,
          cwd,
          name,
          ...(origin && { origin }),
          ...(isMade === true && { isMade, others: others.slice(0, maxOthers) }),
        },
      ]
    : undefined;
}

function readOpened(entry: unknown): readonly [string, SavedTranscript] | undefined {
  const session = parseSavedTranscript(entry);
  return session && [getKey(session), session];
}
