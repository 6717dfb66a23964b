import assert from 'node:assert/strict';
import {
  ListMemory,
  type ListMemoryParts,
} from '../../../../../src/features/cachedTranscripts/model/listMemory';
import { listsKey, RememberedLists } from '../../../../../src/model/list/rememberedLists';
import type { KeyedStorage } from '../../../../../src/model/ports';
import type { Session } from '../../../../../src/model/session/session';
import type { SessionRef } from '../../../../../src/shared/sessionRef';
import { Emitter } from '../../../../../src/util/emitter';
import { memento } from '../../../model/fakePlatform';
import { bench, type FakeConnection, folder, silentLog } from '../../../model/fakes';
import { ids, type ListBench } from '../../../model/list/listBench';

export interface ListWindow extends ListBench {
  readonly memory: ListMemory;
  readonly lists: RememberedLists;
  readonly setting: { remembersLists: boolean };
  /** Is fired by a test after `setting` has changed. */
  readonly settingChanged: Emitter<void>;
  /** Is fired by a test when a session was deleted. */
  readonly deleted: Emitter<SessionRef>;
  /** The ids of the sessions whose transcripts are cached. */
  readonly cached: Set<string>;
  /** The window's open sessions. */
  readonly open: Session[];
  /** The ids of the rows at each change of the list. */
  readonly shown: string[][];
}

/** A storage that counts what is written to it. */
export class CountedStorage implements KeyedStorage {
  readonly #values = memento();
  written = 0;

  get(key: string): unknown {
    return this.#values.get(key);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.written++;
    await this.#values.update(key, value);
  }
}

/** A window of a workspace with this storage, whose agent `demo` remembers its lists. */
export function listWindow(
  storage: KeyedStorage,
  prepare: (connection: FakeConnection) => void = () => undefined,
): ListWindow {
  const settingChanged = new Emitter<void>();
  const setting = { remembersLists: true, onDidChangeRemembersLists: settingChanged.event };
  const lists = new RememberedLists(storage, setting);
  const made = bench(['demo'], prepare, undefined, lists);
  const { agents, workspace } = made;
  const open: Session[] = [];
  const cached = new Set<string>();
  const deleted = new Emitter<SessionRef>();
  const memory = new ListMemory({
    ...{ agents, workspace, lists, settings: setting, log: silentLog },
    transcriptCache: amongThese(cached),
    sessions: { all: open, onDidDelete: deleted.event },
  });
  const list = agents.get('demo')?.lists.of(folder);
  assert.ok(list);
  const shown: string[][] = [];
  const changes: ListWindow['changes'] = [];
  list.onDidChange((change) => {
    changes.push(change);
    shown.push(ids(list));
  });
  return Object.assign(made, {
    ...{ list, changes, memory, lists, setting, cached, open, shown },
    ...{ settingChanged, deleted },
  });
}

/** A cache with the transcripts of these sessions. */
function amongThese(cached: ReadonlySet<string>): ListMemoryParts['transcriptCache'] {
  const among = (_agentId: string, _program: string, ids: readonly string[]) =>
    Promise.resolve(new Set(ids.filter((id) => cached.has(id))));
  return { among };
}

/** Reads the list in one window, as far as `pages` pages, and closes it. */
export async function before(
  storage: KeyedStorage,
  list: FakeConnection['list'],
  pages = 1,
): Promise<void> {
  const window = listWindow(storage, (connection) => {
    connection.list = list;
  });
  await window.list.load();
  for (let page = 1; page < pages; page++) {
    await window.list.loadMore();
  }
  window.memory.end();
  await window.agents.close();
}

/** The ids of what is stored for `folder`. */
export function stored(storage: KeyedStorage): readonly string[] {
  const lists = new RememberedLists(storage, { remembersLists: true });
  return (
    lists.all
      .find((list) => list.folder === folder.path)
      ?.sessions.map(({ sessionId }) => sessionId) ?? []
  );
}

/** Changes the stored value as another program could. */
export async function tamper(
  storage: KeyedStorage,
  change: (value: unknown) => unknown,
): Promise<void> {
  await storage.update(listsKey, change(storage.get(listsKey)));
}
