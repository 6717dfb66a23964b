import type * as vscode from 'vscode';
import { addCommand } from './commands';
import { QuickPickItemKind } from './enums';
import { EventEmitter } from './events';

let shown: QuickPick<vscode.QuickPickItem> | undefined;

/** A list that nobody draws; as in VS Code, what it says of the user comes a little later. */
export class QuickPick<T extends vscode.QuickPickItem> implements vscode.QuickPick<T> {
  readonly #events = {
    value: new EventEmitter<string>(),
    accept: new EventEmitter<void>(),
    button: new EventEmitter<vscode.QuickInputButton>(),
    itemButton: new EventEmitter<vscode.QuickPickItemButtonEvent<T>>(),
    active: new EventEmitter<readonly T[]>(),
    selection: new EventEmitter<readonly T[]>(),
    hide: new EventEmitter<void>(),
  };
  readonly onDidChangeValue = this.#events.value.event;
  readonly onDidAccept = this.#events.accept.event;
  readonly onDidTriggerButton = this.#events.button.event;
  readonly onDidTriggerItemButton = this.#events.itemButton.event;
  readonly onDidChangeActive = this.#events.active.event;
  readonly onDidChangeSelection = this.#events.selection.event;
  readonly onDidHide = this.#events.hide.event;
  placeholder: string | undefined;
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  buttons: readonly vscode.QuickInputButton[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  enabled = true;
  busy = false;
  ignoreFocusOut = false;
  #value = '';
  #items: readonly T[] = [];
  #active: readonly T[] = [];
  #selected: readonly T[] = [];
  #isVisible = false;
  #isDisposed = false;

  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    if (value !== this.#value) {
      this.#value = value;
      this.#later(() => {
        this.#events.value.fire(value);
        this.#activate(this.#rows.slice(0, 1));
      });
    }
  }

  get items(): readonly T[] {
    return this.#items;
  }

  set items(items: readonly T[]) {
    this.#items = items;
    this.#selected = this.#selected.filter((item) => items.includes(item));
    this.#later(() => {
      const kept = this.#active.filter((item) => this.#rows.includes(item));
      this.#activate(kept.length > 0 ? kept : this.#rows.slice(0, 1));
    });
  }

  get activeItems(): readonly T[] {
    return this.#active;
  }

  set activeItems(items: readonly T[]) {
    this.#activate(items);
  }

  get selectedItems(): readonly T[] {
    return this.#selected;
  }

  set selectedItems(items: readonly T[]) {
    this.#selected = items;
    this.#later(() => this.#events.selection.fire(items));
  }

  show(): void {
    this.#isVisible = true;
    shown = this as unknown as QuickPick<vscode.QuickPickItem>;
    this.#later(() =>
      this.#activate(this.#active.length > 0 ? this.#active : this.#rows.slice(0, 1)),
    );
  }

  hide(): void {
    this.#later(() => this.#hidden());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#hidden();
  }

  /** The Down Arrow key. */
  next(): void {
    const at = this.#rows.findIndex((item) => this.#active.includes(item));
    this.#activate(this.#rows.slice(at + 1, at + 2));
  }

  /** The Enter key. */
  accept(): void {
    if (!this.canSelectMany) {
      this.#selected = this.#active;
      this.#events.selection.fire(this.#selected);
    }
    this.#events.accept.fire();
  }

  get #rows(): readonly T[] {
    const word = this.#value.toLowerCase();
    const texts = ({ label, description, detail }: T): readonly (string | undefined)[] => [
      label,
      this.matchOnDescription ? description : undefined,
      this.matchOnDetail ? detail : undefined,
    ];
    return this.#items.filter(
      (item) =>
        item.kind !== QuickPickItemKind.Separator &&
        (item.alwaysShow === true ||
          texts(item).some((text) => text?.toLowerCase().includes(word) === true)),
    );
  }

  #activate(items: readonly T[]): void {
    const isSame =
      items.length === this.#active.length && items.every((item, at) => item === this.#active[at]);
    this.#active = items;
    if (!isSame) {
      this.#later(() => this.#events.active.fire(items));
    }
  }

  #hidden(): void {
    if (this.#isVisible) {
      this.#isVisible = false;
      shown = (shown as unknown) === this ? undefined : shown;
      this.#events.hide.fire();
    }
  }

  #later(act: () => void): void {
    setImmediate(() => {
      if (!this.#isDisposed) {
        act();
      }
    });
  }
}

addCommand('workbench.action.quickOpenSelectNext', () => shown?.next());
addCommand('workbench.action.acceptSelectedQuickOpenItem', () => shown?.accept());
addCommand('workbench.action.closeQuickOpen', () => shown?.hide());
