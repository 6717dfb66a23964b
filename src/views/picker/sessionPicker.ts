import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { SessionList, SessionRow } from '../../model/agent';
import type { SessionMarks } from '../../model/marks/marks';
import { acceptedRow, createRankedPick } from '../../platform/ui/rankedPick';
import { DisposableStore } from '../../util/disposable';
import {
  buttons,
  getCandidate,
  type LocalSessionState,
  type PickerCandidate,
  problemItem,
  type SessionItem,
  sameItems,
  toItem,
} from './pickerItems';
import { readAllPages } from './readPages';
import { CandidateIndex } from './sessionRanking';

/** A session that the user chose. */
export interface PickedSession {
  readonly list: SessionList;
  readonly row: SessionRow;
  readonly where: 'here' | 'side';
}

export interface PickerServices extends LocalSessionState {
  /** The lists of all agents, folders and worktrees to search. */
  readonly tree: { readonly lists: readonly SessionList[] };
  readonly marks: SessionMarks;
}

/** The actions of a row's buttons, besides choosing the session; without them, rows have no buttons. */
export interface PickerActions {
  /** Asks for confirmation; forgets a session that only this window lists. */
  delete(picked: PickedSession): Promise<void>;
}

/** Changes within this time, in ms, are coalesced. */
const redrawPause = 150;
/** Time without a keystroke after which the user has stopped typing, in ms. */
const typingPause = 300;
/** The user doesn't read more rows, and narrows the search instead. */
const maxRows = 100;
/**
 * Number of rows while typing, as many as a tall window shows: VS Code renders all of them twice on each keystroke
 * (seen in 1.139).
 */
const maxRowsWhileTyping = 40;

/** Reads further pages only while it is open. */
export class SessionPicker implements vscode.Disposable {
  readonly chosen: Promise<PickedSession | undefined>;
  readonly #services: PickerServices;
  readonly #actions: PickerActions | undefined;
  readonly #lists: readonly SessionList[];
  readonly #store = new DisposableStore();
  readonly #picker: vscode.QuickPick<SessionItem>;
  readonly #closed = new AbortController();
  /** The candidates by row key; most are reused when more rows arrive. */
  #candidates: ReadonlyMap<string, PickerCandidate> = new Map();
  readonly #index = new CandidateIndex<PickerCandidate>();
  /** The rows have changed since the index last received them. */
  #changed = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * Set while the user types: buttons take half of the time that VS Code needs for rows (measured in 1.139), and
   * aren't used meanwhile.
   */
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** A confirmation is open: hiding the picker doesn't end it. */
  #asking = false;

  constructor(services: PickerServices, actions: PickerActions | undefined) {
    this.#services = services;
    this.#actions = actions;
    const { tree, marks } = services;
    this.#lists = tree.lists;
    this.#picker = this.#store.add(createRankedPick<SessionItem>());
    this.#picker.title = l10n.t('Go to Session');
    this.#picker.placeholder = l10n.t('Type a part of a title, agent, folder or ID');
    this.#picker.keepScrollPosition = true;
    this.chosen = new Promise((resolve, reject) => {
      this.#listen(resolve, reject);
    });
    for (const list of this.#lists) {
      this.#store.add(list.onDidChange(() => this.#showSoon()));
    }
    this.#store.add(marks.onDidChange(() => this.#showSoon()));
    this.#show();
    this.#picker.busy = true;
    this.#picker.show();
    void this.#readAll();
  }

  /** Lists show their own failures, in a row each. */
  async #readAll(): Promise<void> {
    await readAllPages(this.#lists, this.#closed.signal);
    if (!this.#closed.signal.aborted) {
      this.#picker.busy = false;
      this.#showSoon();
    }
  }

  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#typing);
    this.#store.dispose();
  }

  #listen(
    resolve: (picked: PickedSession | undefined) => void,
    reject: (error: unknown) => void,
  ): void {
    const picker = this.#picker;
    this.#store.add(
      picker.onDidChangeValue(() => {
        this.#noteTyping();
        this.#show();
      }),
    );
    this.#store.add(
      picker.onDidAccept(() => {
        const item = acceptedRow(picker);
        if (item?.session !== undefined) {
          resolve(picked(item, 'here'));
        }
      }),
    );
    this.#store.add(
      picker.onDidHide(() => {
        if (!this.#asking) {
          resolve(undefined);
        }
      }),
    );
    this.#store.add(
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (button === buttons.side) {
          resolve(picked(item, 'side'));
        } else {
          // The command that opened the picker reports the failure.
          this.#press(item, button).catch(reject);
        }
      }),
    );
  }

  async #press({ session }: SessionItem, button: vscode.QuickInputButton): Promise<void> {
    if (session === undefined) {
      return;
    }
    const { list, row } = session;
    if (button === buttons.delete || button === buttons.forget) {
      this.#asking = true;
      try {
        await this.#actions?.delete({ list, row, where: 'here' });
      } finally {
        this.#asking = false;
        this.#picker.show();
      }
    } else {
      const id = { agentId: list.agent.id, sessionId: row.info.sessionId };
      await this.#services.marks.setPinned([id], button === buttons.pin);
    }
  }

  #showSoon(): void {
    this.#changed = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#refresh();
      if (!this.#picker.busy) {
        this.#index.prepare();
      }
    }, redrawPause);
  }

  #noteTyping(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      this.#typing = undefined;
      this.#refresh();
    }, typingPause);
  }

  /**
   * Updates the rows when the sessions change, not the search text: the row that the user moved to stays active.
   */
  #refresh(): void {
    const { activeItems, items: before } = this.#picker;
    const items = this.#find();
    if (sameItems(before, items)) {
      return;
    }
    const key = activeItems[0] === before[0] ? undefined : activeItems[0]?.session?.row.key;
    const active = key && items.find(({ session }) => session?.row.key === key);
    this.#picker.items = items;
    if (active) {
      this.#picker.activeItems = [active];
    }
  }

  /** Whether there may be sessions of more than one folder. */
  get #hasFolders(): boolean {
    const paths = new Set(this.#lists.map(({ folder }) => folder?.path));
    return paths.size > 1 || paths.has(undefined);
  }

  /** Each session once: an agent may list a folder's session in the list of a parent folder, too. */
  #gather(): readonly PickerCandidate[] {
    const candidates = new Map<string, PickerCandidate>();
    for (const list of this.#lists) {
      for (const row of list.rows) {
        if (!candidates.has(row.key)) {
          const before = this.#candidates.get(row.key);
          candidates.set(row.key, getCandidate(list, row, this.#services, before));
        }
      }
    }
    this.#candidates = candidates;
    return [...candidates.values()];
  }

  #show(): void {
    this.#picker.items = this.#find();
  }

  /** The rows for the search text. */
  #find(): readonly SessionItem[] {
    const now = Date.now();
    if (this.#changed) {
      this.#index.hold(this.#gather());
      this.#changed = false;
    }
    const isTyping = this.#typing !== undefined;
    const shows = {
      folder: this.#hasFolders,
      buttons: this.#actions !== undefined && !isTyping,
    };
    const limit = isTyping ? maxRowsWhileTyping : maxRows;
    const found = this.#index.best(this.#picker.value, limit, now);
    return [
      ...found.map((candidate) => toItem(candidate, shows, now)),
      ...this.#lists.flatMap((list) => problemItem(list) ?? []),
    ];
  }
}

function picked(
  item: SessionItem | undefined,
  where: PickedSession['where'],
): PickedSession | undefined {
  return item?.session && { list: item.session.list, row: item.session.row, where };
}
