import type * as vscode from 'vscode';
import { addCommand } from './commands';
import { TreeItemCollapsibleState } from './enums';
import { EventEmitter, never } from './events';

/** A view that nobody draws: hidden until its command shows it, which reads its first rows. */
class TreeView<T> implements vscode.TreeView<T> {
  readonly #provider: vscode.TreeDataProvider<T>;
  readonly #expanded = new EventEmitter<vscode.TreeViewExpansionEvent<T>>();
  readonly #collapsed = new EventEmitter<vscode.TreeViewExpansionEvent<T>>();
  readonly #selectionChanged = new EventEmitter<vscode.TreeViewSelectionChangeEvent<T>>();
  readonly #visibilityChanged = new EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly onDidExpandElement = this.#expanded.event;
  readonly onDidCollapseElement = this.#collapsed.event;
  readonly onDidChangeSelection = this.#selectionChanged.event;
  readonly onDidChangeVisibility = this.#visibilityChanged.event;
  readonly onDidChangeCheckboxState = never;
  title = '';
  description = '';
  message = '';
  badge: vscode.ViewBadge | undefined;
  selection: readonly T[] = [];
  visible = false;

  constructor(provider: vscode.TreeDataProvider<T>) {
    this.#provider = provider;
  }

  async focus(): Promise<void> {
    if (!this.visible) {
      this.visible = true;
      this.#visibilityChanged.fire({ visible: true });
    }
    await this.#read(undefined);
  }

  async reveal(element: T, options: { readonly select?: boolean } = {}): Promise<void> {
    await this.focus();
    if (options.select !== false) {
      this.selection = [element];
      this.#selectionChanged.fire({ selection: this.selection });
    }
  }

  dispose(): void {
    this.visible = false;
  }

  async #read(node: T | undefined): Promise<void> {
    for (const child of (await this.#provider.getChildren(node)) ?? []) {
      const { collapsibleState } = await this.#provider.getTreeItem(child);
      if (collapsibleState === TreeItemCollapsibleState.Expanded) {
        await this.#read(child);
      }
    }
  }
}

export function createTreeView<T>(
  id: string,
  { treeDataProvider }: vscode.TreeViewOptions<T>,
): vscode.TreeView<T> {
  const view = new TreeView(treeDataProvider);
  addCommand(`${id}.focus`, () => view.focus());
  return view;
}
