import type * as vscode from 'vscode';
import { contributes } from '../../../package.json';
import { addCommand } from './commands';
import { ViewColumn } from './enums';
import { CancellationTokenSource, Disposable, EventEmitter } from './events';
import {
  addTab,
  closeTabs,
  findTab,
  focusedTab,
  showTab,
  type Tab,
  type TabContent,
  type TabPlace,
  tabChanged,
} from './tabs';
import { TabInputCustom, TabInputWebview } from './values';

interface CustomEditor {
  readonly provider: vscode.CustomReadonlyEditorProvider;
  readonly options: vscode.WebviewPanelOptions;
}

const editors = new Map<string, CustomEditor>();

/** A page that nobody runs: it gets messages, and sends what a test lets it send. */
class Webview implements vscode.Webview {
  readonly received = new EventEmitter<unknown>();
  readonly onDidReceiveMessage = this.received.event;
  readonly cspSource = 'https://webview.test';
  options: vscode.WebviewOptions = {};
  html = '';

  asWebviewUri(uri: vscode.Uri): vscode.Uri {
    return uri;
  }

  postMessage(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

class WebviewPanel implements vscode.WebviewPanel, TabContent {
  readonly viewType: string;
  readonly webview = new Webview();
  readonly options: vscode.WebviewPanelOptions;
  readonly #stateChanged = new EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  readonly #disposed = new EventEmitter<void>();
  readonly onDidChangeViewState = this.#stateChanged.event;
  readonly onDidDispose = this.#disposed.event;
  #title: string;
  #state = '';
  #isDisposed = false;
  tab: Tab | undefined;

  constructor(viewType: string, title: string, options: vscode.WebviewPanelOptions = {}) {
    this.viewType = viewType;
    this.options = options;
    this.#title = title;
  }

  get name(): string {
    return this.#title;
  }

  get title(): string {
    return this.#title;
  }

  set title(title: string) {
    if (title !== this.#title) {
      this.#title = title;
      if (this.tab !== undefined) {
        tabChanged(this.tab);
      }
    }
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.tab?.group.viewColumn;
  }

  get active(): boolean {
    return this.tab?.isFocused ?? false;
  }

  get visible(): boolean {
    return this.tab?.isActive ?? false;
  }

  reveal(_: vscode.ViewColumn = ViewColumn.Active, preserveFocus = false): void {
    if (this.tab !== undefined) {
      showTab(this.tab, preserveFocus);
    }
  }

  stateChanged(): void {
    const state = `${this.viewColumn} ${this.active} ${this.visible}`;
    if (state !== this.#state) {
      this.#state = state;
      this.#stateChanged.fire({ webviewPanel: this });
    }
  }

  dispose(): void {
    if (this.tab !== undefined) {
      closeTabs([this.tab]);
    }
    this.closed();
  }

  closed(): void {
    if (!this.#isDisposed) {
      this.#isDisposed = true;
      this.tab = undefined;
      this.#disposed.fire();
    }
  }
}

/** The custom editor in which the manifest lets VS Code open a document, if any. */
export function customEditorOf({ scheme }: vscode.Uri): string | undefined {
  return contributes.customEditors.find(({ selector }) =>
    selector.some(({ filenamePattern }) => filenamePattern.startsWith(`${scheme}:`)),
  )?.viewType;
}

/** Opens a document in a custom editor, or shows the tab that has it. */
export async function openCustom(
  uri: vscode.Uri,
  viewType: string,
  place: TabPlace,
): Promise<void> {
  const isIt = ({ input }: Tab): boolean =>
    input instanceof TabInputCustom && input.uri.toString() === uri.toString();
  const existing = findTab(isIt);
  if (existing !== undefined) {
    showTab(existing, place.preserveFocus);
    return;
  }
  const editor = editors.get(viewType);
  if (editor === undefined) {
    throw new Error(`There is no editor ${viewType}.`);
  }
  const { provider, options } = editor;
  const { token } = new CancellationTokenSource();
  const context = { backupId: undefined, untitledDocumentData: undefined };
  const document = await provider.openCustomDocument(uri, context, token);
  const panel = new WebviewPanel(viewType, uri.path.replace(/^.*\//, ''), options);
  panel.onDidDispose(() => document.dispose());
  panel.tab = addTab(new TabInputCustom(uri, viewType), panel, place);
  await provider.resolveCustomEditor(document, panel, token);
  panel.stateChanged();
}

export const webviews = {
  registerCustomEditorProvider: (viewType, given, { webviewOptions: options = {} } = {}) => {
    const provider = given as vscode.CustomReadonlyEditorProvider;
    editors.set(viewType, { provider, options });
    return new Disposable(() => editors.delete(viewType));
  },
  registerWebviewPanelSerializer: () => new Disposable(() => undefined),
  registerWebviewViewProvider: () => new Disposable(() => undefined),
  createWebviewPanel: (viewType, title, where, options) => {
    const panel = new WebviewPanel(viewType, title, options);
    const place = typeof where === 'object' ? where : { viewColumn: where };
    panel.tab = addTab(new TabInputWebview(viewType), panel, { ...place, preview: false });
    return panel;
  },
} satisfies Partial<typeof vscode.window>;

addCommand('workbench.action.keepEditor', (uri?: vscode.Uri) => {
  const tab =
    uri === undefined
      ? focusedTab()
      : findTab(
          ({ input }) => input instanceof TabInputCustom && input.uri.toString() === uri.toString(),
        );
  if (tab !== undefined) {
    tab.isPreview = false;
    tabChanged(tab);
  }
});
