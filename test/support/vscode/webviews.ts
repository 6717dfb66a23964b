import type * as vscode from 'vscode';
import { contributes } from '../../../package.json';
import { addCommand } from './commands';
import { ViewColumn } from './enums';
import { CancellationTokenSource, Disposable, EventEmitter, never } from './events';
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

/** A page that runs. */
export interface RunningPage {
  post(message: unknown): void;
  close(): void;
}

/** Tests that look at pages say how one is run while its tab is in view; otherwise nobody runs any. */
export const pages: { run?: (webview: Webview) => RunningPage } = {};

/** A page that gets messages, and sends what it or a test lets it send. */
export class Webview implements vscode.Webview {
  readonly received = new EventEmitter<unknown>();
  readonly onDidReceiveMessage = this.received.event;
  readonly cspSource = 'https://webview.test';
  readonly #isInView: () => boolean;
  options: vscode.WebviewOptions = {};
  #html = '';
  #page: RunningPage | undefined;

  constructor(isInView: () => boolean) {
    this.#isInView = isInView;
  }

  get html(): string {
    return this.#html;
  }

  set html(html: string) {
    this.#html = html;
    this.update();
  }

  /** Ends a page when it is hidden, as VS Code does, and starts it anew when it is shown again. */
  update(): void {
    if (!this.#isInView()) {
      this.#page?.close();
      this.#page = undefined;
    } else if (this.#html !== '') {
      this.#page ??= pages.run?.(this);
    }
  }

  asWebviewUri(uri: vscode.Uri): vscode.Uri {
    return uri;
  }

  postMessage(message: unknown): Promise<boolean> {
    this.#page?.post(message);
    return Promise.resolve(true);
  }
}

class WebviewPanel implements vscode.WebviewPanel, TabContent {
  readonly viewType: string;
  readonly webview = new Webview(() => this.visible);
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
    this.webview.update();
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
      this.webview.update();
      this.#disposed.fire();
    }
  }
}

/** A webview in the panel, in view from its command until the panel is closed. */
class WebviewView implements vscode.WebviewView {
  readonly viewType: string;
  readonly webview = new Webview(() => this.visible);
  readonly #visibilityChanged = new EventEmitter<void>();
  readonly onDidChangeVisibility = this.#visibilityChanged.event;
  readonly onDidDispose = never;
  visible = true;

  constructor(viewType: string) {
    this.viewType = viewType;
  }

  show(): void {
    this.setVisible(true);
  }

  setVisible(visible: boolean): void {
    if (visible !== this.visible) {
      this.visible = visible;
      this.webview.update();
      this.#visibilityChanged.fire();
    }
  }
}

const views = new Map<string, WebviewView>();

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
  registerWebviewViewProvider: (viewType, provider) => {
    addCommand(`${viewType}.focus`, async () => {
      const known = views.get(viewType);
      known?.show();
      if (known === undefined) {
        const view = new WebviewView(viewType);
        views.set(viewType, view);
        const { token } = new CancellationTokenSource();
        await provider.resolveWebviewView(view, { state: undefined }, token);
      }
    });
    return new Disposable(() => views.delete(viewType));
  },
  createWebviewPanel: (viewType, title, where, options) => {
    const panel = new WebviewPanel(viewType, title, options);
    const place = typeof where === 'object' ? where : { viewColumn: where };
    panel.tab = addTab(new TabInputWebview(viewType), panel, { ...place, preview: false });
    return panel;
  },
} satisfies Partial<typeof vscode.window>;

addCommand('workbench.action.closePanel', () => {
  for (const view of views.values()) {
    view.setVisible(false);
  }
});

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
