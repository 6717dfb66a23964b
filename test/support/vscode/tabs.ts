import type * as vscode from 'vscode';
import { ViewColumn } from './enums';
import { EventEmitter } from './events';

/** What a tab shows. */
export interface TabContent {
  readonly name: string;
  /** Is told that its tab may have been shown or hidden, or got or lost the focus. */
  stateChanged?(): void;
  closed(): void;
}

export class Tab implements vscode.Tab {
  readonly input: vscode.Tab['input'];
  readonly content: TabContent;
  readonly isDirty = false;
  readonly isPinned = false;
  group: TabGroup;
  isPreview: boolean;

  constructor(group: TabGroup, input: vscode.Tab['input'], content: TabContent, preview: boolean) {
    this.group = group;
    this.input = input;
    this.content = content;
    this.isPreview = preview;
  }

  get label(): string {
    return this.content.name;
  }

  get isActive(): boolean {
    return this.group.activeTab === this;
  }

  /** Whether it is the one that has the focus. */
  get isFocused(): boolean {
    return this.isActive && this.group.isActive;
  }
}

class TabGroup implements vscode.TabGroup {
  readonly tabs: Tab[] = [];
  readonly viewColumn: vscode.ViewColumn;
  activeTab: Tab | undefined;
  /** The tabs in the order in which they were shown, the last one at the end. */
  readonly shown: Tab[] = [];

  constructor(viewColumn: vscode.ViewColumn) {
    this.viewColumn = viewColumn;
  }

  get isActive(): boolean {
    return activeGroup === this;
  }

  show(tab: Tab | undefined): void {
    this.activeTab = tab;
    if (tab !== undefined) {
      this.shown.splice(0, this.shown.length, ...this.shown.filter((own) => own !== tab), tab);
    }
  }
}

let groups: TabGroup[] = [new TabGroup(ViewColumn.One)];
let activeGroup = groups[0] as TabGroup;
const tabsChanged = new EventEmitter<vscode.TabChangeEvent>();
const groupsChanged = new EventEmitter<vscode.TabGroupChangeEvent>();

export interface TabPlace {
  readonly viewColumn?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
  readonly preview?: boolean | undefined;
}

/** Adds a tab and shows it. A preview takes the place of the one that its group has. */
export function addTab(
  input: vscode.Tab['input'],
  content: TabContent,
  { viewColumn, preserveFocus = false, preview = true }: TabPlace,
): Tab {
  const group = groupAt(viewColumn);
  const tab = new Tab(group, input, content, preview);
  const replaced = preview ? group.tabs.find(({ isPreview }) => isPreview) : undefined;
  group.tabs.push(tab);
  group.show(tab);
  if (!preserveFocus) {
    activeGroup = group;
  }
  changed({ opened: [tab] });
  if (replaced !== undefined) {
    closeTabs([replaced]);
  }
  return tab;
}

export function showTab(tab: Tab, preserveFocus = false): void {
  tab.group.show(tab);
  if (!preserveFocus) {
    activeGroup = tab.group;
  }
  changed({ changed: [tab] });
}

export function findTab(isIt: (tab: Tab) => boolean): Tab | undefined {
  return allTabs().find(isIt);
}

export function closeTabs(tabs: readonly Tab[]): void {
  const closed = tabs.filter((tab) => tab.group.tabs.includes(tab));
  for (const { group, ...rest } of closed.map((tab) => ({ group: tab.group, tab }))) {
    group.tabs.splice(group.tabs.indexOf(rest.tab), 1);
    group.shown.splice(0, group.shown.length, ...group.shown.filter((own) => own !== rest.tab));
    group.show(group.shown.at(-1) ?? group.tabs.at(-1));
  }
  const empty = groups.filter((group) => group.tabs.length === 0 && groups.length > 1);
  groups = groups.filter((group) => !empty.includes(group) || group === groups[0]);
  if (!groups.includes(activeGroup)) {
    activeGroup = groups[0] as TabGroup;
  }
  if (closed.length > 0) {
    for (const { content } of closed) {
      content.closed();
    }
    changed({ closed });
  }
}

/** A tab has another name, or is no preview any more. */
export function tabChanged(tab: Tab): void {
  changed({ changed: [tab] });
}

/** The tab that has the focus. */
export function focusedTab(): Tab | undefined {
  return activeGroup.activeTab;
}

export function allTabs(): readonly Tab[] {
  return groups.flatMap(({ tabs }) => tabs);
}

function groupAt(viewColumn: vscode.ViewColumn | undefined = ViewColumn.Active): TabGroup {
  if (viewColumn === ViewColumn.Active) {
    return activeGroup;
  }
  const at = viewColumn === ViewColumn.Beside ? activeGroup.viewColumn + 1 : viewColumn;
  const found = groups.find((group) => (group.viewColumn as number) === at);
  if (found !== undefined) {
    return found;
  }
  const made = new TabGroup(at);
  groups.push(made);
  groupsChanged.fire({ opened: [made], closed: [], changed: [] });
  return made;
}

function changed(what: Partial<vscode.TabChangeEvent>): void {
  for (const { content } of allTabs()) {
    content.stateChanged?.();
  }
  tabsChanged.fire({ opened: [], closed: [], changed: [], ...what });
}

export const tabGroups = {
  get all() {
    return groups;
  },
  get activeTabGroup() {
    return activeGroup;
  },
  onDidChangeTabs: tabsChanged.event,
  onDidChangeTabGroups: groupsChanged.event,
  close: async (
    which: vscode.Tab | vscode.TabGroup | readonly (vscode.Tab | vscode.TabGroup)[],
  ) => {
    await new Promise((resolve) => setImmediate(resolve));
    const wanted: readonly unknown[] = [which].flat();
    closeTabs(allTabs().filter((tab) => wanted.includes(tab) || wanted.includes(tab.group)));
    return true;
  },
} satisfies vscode.TabGroups;
