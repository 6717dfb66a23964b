import * as vscode from 'vscode';
import { getKey, sessionKey } from '../../model/list/sessionInfo';
import { viewIds } from '../../platform/ids';
import type { SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { readTranscriptUri } from './transcriptUri';

/** A tab of VS Code with a transcript, which may not have been loaded yet. */
export interface TranscriptTab extends SessionRef {
  readonly uri: vscode.Uri;
  readonly viewColumn: vscode.ViewColumn;
  /** What VS Code shows on it. */
  readonly label: string;
  /** Whether it is the one that its group shows. */
  readonly isActive: boolean;
}

/** The transcript tabs of VS Code: a session is opened in the column and by the URI of its tab. */
export class TranscriptTabs implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<TranscriptTab>());
  /** A tab was opened, closed or moved, or shows another name. */
  readonly onDidChange = this.#changed.event;
  #tabs: ReadonlyMap<string, TranscriptTab> = readTabs();

  constructor() {
    const { tabGroups } = vscode.window;
    this.#store.add(tabGroups.onDidChangeTabs(() => this.#read()));
    this.#store.add(tabGroups.onDidChangeTabGroups(() => this.#read()));
  }

  get all(): readonly TranscriptTab[] {
    return [...this.#tabs.values()];
  }

  find(agentId: string, sessionId: string): TranscriptTab | undefined {
    return this.#tabs.get(sessionKey(agentId, sessionId));
  }

  /**
   * Resolves when the session's tab is closed: until then VS Code would reuse it instead of opening
   * a new one.
   */
  async close(agentId: string, sessionId: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => {
        const named = namedIn(tab);
        return named?.agentId === agentId && named.sessionId === sessionId;
      });
    await vscode.window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(): void {
    const before = this.#tabs;
    this.#tabs = readTabs();
    for (const [key, tab] of new Map([...before, ...this.#tabs])) {
      const [was, is] = [before.get(key), this.#tabs.get(key)];
      if (!isSame(was, is)) {
        this.#changed.fire(tab);
      }
    }
  }
}

function isSame(a: TranscriptTab | undefined, b: TranscriptTab | undefined): boolean {
  return (
    a?.viewColumn === b?.viewColumn &&
    a?.label === b?.label &&
    a?.isActive === b?.isActive &&
    a?.uri.toString() === b?.uri.toString()
  );
}

function readTabs(): ReadonlyMap<string, TranscriptTab> {
  const all = vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs.flatMap((tab): [string, TranscriptTab][] => {
      const named = namedIn(tab);
      return named === undefined ? [] : [[getKey(named), { ...named, viewColumn }]];
    }),
  );
  return new Map(all);
}

function namedIn({
  input,
  label,
  isActive,
}: vscode.Tab): Omit<TranscriptTab, 'viewColumn'> | undefined {
  if (!(input instanceof vscode.TabInputCustom) || input.viewType !== viewIds.transcript) {
    return undefined;
  }
  const { uri } = input;
  const named = readTranscriptUri(uri);
  return named && { agentId: named.agentId, sessionId: named.sessionId, uri, label, isActive };
}
