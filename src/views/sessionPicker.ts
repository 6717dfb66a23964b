import * as vscode from 'vscode';
import type { SessionList, SessionRow } from '../model/agent';
import type { Agents } from '../model/agents';
import type { Workspace } from '../model/ports';
import type { Failure } from '../shared/failure';
import { DisposableStore } from '../util/disposable';
import { plainLabel } from './plainLabel';
import { relativeTime } from './sessions/dates';

/** A session that a person chose. */
export interface PickedSession {
  readonly list: SessionList;
  readonly row: SessionRow;
}

interface SessionItem extends vscode.QuickPickItem {
  readonly session?: PickedSession;
}

/** Rows that arrive within this time, in ms, are shown together: the picker draws all of them anew. */
const redrawPause = 150;

/**
 * Lets a person choose among the sessions of all agents and folders. Reads further pages for as long
 * as the picker is open, and not longer.
 */
export async function pickSession(
  agents: Agents,
  workspace: Workspace,
): Promise<PickedSession | undefined> {
  const lists = agents.all.flatMap((agent) =>
    workspace.folders.map((folder) => agent.sessionList(folder)),
  );
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<SessionItem>());
  picker.title = 'Go to Session';
  picker.placeholder = 'Type a part of a title, agent or folder';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  const severalFolders = workspace.folders.length > 1;
  const show = (): void => {
    picker.items = itemsOf(lists, severalFolders);
  };
  const closed = new AbortController();
  store.add(onChange(lists, show));
  show();
  picker.busy = true;
  picker.show();
  void Promise.all(lists.map((list) => readAll(list, closed.signal))).then(() => {
    if (!closed.signal.aborted) {
      picker.busy = false;
      show();
    }
  });
  try {
    return await chosen(picker, store);
  } finally {
    closed.abort();
    store.dispose();
  }
}

function chosen(
  picker: vscode.QuickPick<SessionItem>,
  store: DisposableStore,
): Promise<PickedSession | undefined> {
  return new Promise((resolve) => {
    store.add(picker.onDidAccept(() => resolve(picker.selectedItems[0]?.session)));
    store.add(picker.onDidHide(() => resolve(undefined)));
  });
}

async function readAll(list: SessionList, signal: AbortSignal): Promise<void> {
  await list.load();
  // Whoever closes the picker stops this after the page that is on its way.
  while (!signal.aborted && (list.more.kind === 'ready' || list.more.kind === 'loading')) {
    await list.loadMore();
  }
}

function onChange(lists: readonly SessionList[], show: () => void): { dispose(): void } {
  const store = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (const list of lists) {
    store.add(
      list.onDidChange(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          show();
        }, redrawPause);
      }),
    );
  }
  store.add({ dispose: () => clearTimeout(timer) });
  return store;
}

function itemsOf(lists: readonly SessionList[], severalFolders: boolean): SessionItem[] {
  const now = Date.now();
  const rows = lists.flatMap((list) => list.rows.map((row) => ({ list, row })));
  rows.sort((a, b) => (b.row.updatedAt ?? -Infinity) - (a.row.updatedAt ?? -Infinity) || 0);
  const items = rows.map(({ list, row }): SessionItem => {
    const time = row.updatedAt === undefined ? '' : ` · ${relativeTime(row.updatedAt, now)}`;
    return {
      label: plainLabel(row.title),
      description: plainLabel(`${list.agent.title}${time}`),
      ...(severalFolders && { detail: plainLabel(list.folder.name) }),
      session: { list, row },
    };
  });
  return [...items, ...lists.flatMap(problemOf)];
}

function problemOf(list: SessionList): SessionItem[] {
  const failure = failureOf(list);
  if (failure === undefined) {
    return [];
  }
  return [
    {
      label: `$(error) ${plainLabel(failure.title)}`,
      detail: plainLabel(failure.detail),
      alwaysShow: true,
    },
  ];
}

function failureOf({ state, more, stale }: SessionList): Failure | undefined {
  if (state.kind === 'failed') {
    return state.failure;
  }
  return more.kind === 'failed' ? more.failure : stale;
}
