import type { Uri as VsCodeUri, WebviewPanel } from 'vscode';
import { ProvidedReviews } from '../../src/model/changes/providedReviews';
import type { DrawnEntry } from '../../src/shared/transcript/drawn';
import type { FromWebview, ToWebview } from '../../src/shared/transcript/webviewMessages';
import { Emitter } from '../../src/util/emitter';
import { Attention } from '../../src/views/attention/attention';
import { TonePages } from '../../src/views/attention/tonePages';
import { TranscriptPanel } from '../../src/views/transcript/tabs/panel';
import type { PanelServices, PanelSession } from '../../src/views/transcript/tabs/panelSession';
import { SameNames } from '../../src/views/transcript/tabs/sameNames';
import { type StateMessage, TranscriptState } from '../../src/webview/state/state';
import { Uri } from '../support/vscode/uri';
import { silentLog } from '../unit/model/fakes';
import { budgets } from './budgets';
import { depthOf } from './depth';

/** The number of rows that the page asks for. */
export const shownRows = 60;

/**
 * A session's tab as the extension has it, together with the page's state; checks the size of every message between
 * them.
 */
export class Tab {
  readonly page: TranscriptState;
  readonly panel: TranscriptPanel;
  /** Messages to the page that broke a rule. */
  readonly faults: string[] = [];
  /** The number of messages sent, by type. */
  readonly sent = new Map<string, number>();
  largest = 0;
  largestRow = 0;
  readonly #received = new Emitter<FromWebview>();
  readonly #shown = new Emitter<void>();
  /** The tab's state in VS Code. */
  readonly #view = { visible: true };

  constructor(session: PanelSession) {
    this.page = new TranscriptState((message) =>
      queueMicrotask(() => this.#received.fire(message)),
    );
    this.panel = new TranscriptPanel(this.#webviewPanel(), session, services(), () => undefined);
    this.#received.fire({ type: 'ready' });
    this.page.setWindow({ start: 0, end: shownRows, follow: true });
  }

  /** Shows the tab, or another one in front of it. A hidden page is disposed. */
  show(visible: boolean): void {
    this.#view.visible = visible;
    this.#shown.fire();
    if (visible) {
      this.#received.fire({ type: 'ready' });
    }
  }

  /** Sends a message from the page. */
  say(message: FromWebview): void {
    this.#received.fire(message);
  }

  /** The number of messages sent. */
  get count(): number {
    return [...this.sent.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether this text is in one of the page's newest rows. */
  shows(text: string): boolean {
    return this.newest().some(
      (entry) =>
        'blocks' in entry && entry.blocks.some((block) => 'text' in block && block.text === text),
    );
  }

  /** The newest rows that the page has. */
  newest(): readonly DrawnEntry[] {
    const count = this.page.count.value;
    return Array.from(
      { length: Math.min(shownRows, count) },
      (_, offset) => this.page.entry(count - 1 - offset).value,
    ).filter((entry) => entry !== undefined);
  }

  dispose(): void {
    this.panel.dispose();
  }

  #webviewPanel(): WebviewPanel {
    return Object.assign(this.#view, {
      title: '',
      iconPath: undefined,
      reveal: () => undefined,
      onDidChangeViewState: this.#shown.event,
      webview: {
        cspSource: 'https://page.test',
        html: '',
        options: {},
        asWebviewUri: (uri: VsCodeUri) => uri,
        onDidReceiveMessage: this.#received.event,
        postMessage: (message: ToWebview) => this.#post(message),
      },
    }) as unknown as WebviewPanel;
  }

  /** Posts as VS Code does: as JSON, and asynchronously. */
  #post(message: ToWebview): Promise<boolean> {
    const { type } = message;
    this.sent.set(type, (this.sent.get(type) ?? 0) + 1);
    let json: string;
    try {
      json = JSON.stringify(message);
    } catch (error) {
      this.faults.push(`a message can't be serialized: ${type}: ${String(error)}`);
      return Promise.resolve(false);
    }
    this.largest = Math.max(this.largest, json.length);
    if (json.length > budgets.message) {
      this.faults.push(`a message has ${json.length} characters: ${type}`);
    }
    const copy = JSON.parse(json) as ToWebview;
    const depth = depthOf(copy);
    if (depth > budgets.depth) {
      this.faults.push(`a message is ${depth} levels deep: ${type}`);
    }
    for (const row of rowsOf(copy)) {
      this.#weigh(row);
    }
    return new Promise((resolve) => {
      setImmediate(() => {
        if (this.#view.visible && isForState(copy)) {
          this.page.receive(copy);
        }
        resolve(this.#view.visible);
      });
    });
  }

  #weigh(row: DrawnEntry): void {
    let images = 0;
    const text = JSON.stringify(row, (key, value: unknown) => {
      if (key === 'data' && typeof value === 'string') {
        images += value.length;
        return '';
      }
      return value;
    });
    this.largestRow = Math.max(this.largestRow, text.length);
    if (text.length > budgets.row) {
      this.faults.push(`a row has ${text.length} characters: ${row.kind}`);
    }
    if (images > budgets.rowImages) {
      this.faults.push(`the images of a row have ${images} characters`);
    }
  }
}

function rowsOf(message: ToWebview): readonly DrawnEntry[] {
  if (message.type === 'snapshot') {
    return message.entries;
  }
  return message.type === 'patch'
    ? message.changes.flatMap((change) => (change.op === 'set' ? [change.entry] : []))
    : [];
}

/** Stubs: a tab's services other than showing a session do nothing. */
function services(): PanelServices {
  const never = () => ({ dispose: () => undefined });
  const own: Partial<Record<keyof PanelServices, unknown>> = {
    extensionUri: Uri.file('/extension'),
    savedPrompts: { all: [], onDidChange: never },
    sendKey: { needsCtrl: false, onDidChange: never },
    lastEditor: { name: undefined, onDidChange: never, insert: () => Promise.resolve() },
    fileSearch: { search: () => Promise.resolve([]) },
    promptContext: { suggest: () => Promise.resolve([]) },
    reviews: new ProvidedReviews(),
    worktrees: { at: () => undefined, onDidChange: never },
    tonePages: new TonePages(),
    names: new SameNames({ all: [], onDidChange: new Emitter<never>().event }),
    marks: { get: () => ({}), onDidChange: never },
    branches: { current: undefined, onDidProvide: never },
    headerFacts: { of: () => [], open: () => undefined, onDidChange: never },
    attention: new Attention({ onDidHappen: never }),
    work: {
      isRead: true,
      read: () => Promise.resolve(),
      getDraft: () => ({ draft: { text: '', attachments: [] }, left: 0 }),
      setDraft: () => undefined,
    },
    log: silentLog,
  };
  return own as unknown as PanelServices;
}

/** The others are for parts of the page that are not here. */
function isForState(message: ToWebview): message is StateMessage {
  const others: readonly ToWebview['type'][] = [
    ...(['attach', 'edit', 'draft', 'found'] as const),
    ...(['copy', 'command', 'tone'] as const),
  ];
  return !others.includes(message.type);
}
