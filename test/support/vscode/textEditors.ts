import type * as vscode from 'vscode';
import { addCommand } from './commands';
import { closeDocument, editDocument, openTextDocument } from './documents';
import { TextEdit } from './edits';
import { EventEmitter, never } from './events';
import { Position, Range, Selection } from './positions';
import {
  addTab,
  allTabs,
  closeTabs,
  findTab,
  focusedTab,
  showTab,
  type Tab,
  type TabContent,
  type TabPlace,
  tabGroups,
} from './tabs';
import { Uri } from './uri';
import { TabInputText, TabInputTextDiff } from './values';
import { customEditorOf, openCustom } from './webviews';

/** A text in a tab, which can be read and selected. */
class TextEditor implements TabContent {
  readonly document: vscode.TextDocument;
  readonly options: vscode.TextEditorOptions = {};
  readonly visibleRanges: readonly vscode.Range[] = [];
  selection = new Selection(new Position(0, 0), new Position(0, 0));
  tab: Tab | undefined;

  constructor(document: vscode.TextDocument) {
    this.document = document;
  }

  get name(): string {
    return this.document.uri.path.replace(/^.*\//, '');
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.tab?.group.viewColumn;
  }

  get selections(): readonly vscode.Selection[] {
    return [this.selection];
  }

  select(range: vscode.Range | undefined): void {
    if (range !== undefined) {
      this.selection = new Selection(range.start, range.end);
    }
  }

  async edit(
    change: (edits: Pick<vscode.TextEditorEdit, 'insert' | 'replace'>) => void,
  ): Promise<boolean> {
    const edits: vscode.TextEdit[] = [];
    const replace = (at: vscode.Position | vscode.Range, text: string): void => {
      const range = at instanceof Position ? new Range(at, at) : (at as vscode.Range);
      edits.push(new TextEdit(range, text));
    };
    change({ insert: replace, replace });
    await editDocument(this.document.uri, edits);
    return true;
  }

  revealRange(): void {
    // Nothing scrolls.
  }

  closed(): void {
    const { uri } = this.document;
    if (!allTabs().some(({ input }) => input instanceof TabInputText && input.uri === uri)) {
      closeDocument(uri);
    }
  }
}

const activeChanged = new EventEmitter<vscode.TextEditor | undefined>();
let lastActive: vscode.TextEditor | undefined;
tabGroups.onDidChangeTabs(() => {
  if (activeEditor() !== lastActive) {
    lastActive = activeEditor();
    activeChanged.fire(lastActive);
  }
});

function activeEditor(): vscode.TextEditor | undefined {
  return editorOf(focusedTab());
}

function editorOf(tab: Tab | undefined): vscode.TextEditor | undefined {
  return tab?.content instanceof TextEditor
    ? (tab.content as unknown as vscode.TextEditor)
    : undefined;
}

async function showTextDocument(
  what: vscode.TextDocument | vscode.Uri,
  where: vscode.ViewColumn | vscode.TextDocumentShowOptions = {},
  keepsFocus?: boolean,
): Promise<vscode.TextEditor> {
  const document = 'getText' in what ? what : await openTextDocument(what);
  const options =
    typeof where === 'number' ? { viewColumn: where, preserveFocus: keepsFocus } : where;
  const existing = findTab(
    ({ input }) => input instanceof TabInputText && input.uri === document.uri,
  );
  const editor =
    existing?.content instanceof TextEditor ? existing.content : new TextEditor(document);
  editor.select('selection' in options ? options.selection : undefined);
  if (existing === undefined) {
    editor.tab = addTab(new TabInputText(document.uri), editor, options);
  } else {
    showTab(existing, options.preserveFocus);
  }
  return editor as unknown as vscode.TextEditor;
}

export const textEditors = {
  get activeTextEditor() {
    return activeEditor();
  },
  get visibleTextEditors() {
    return tabGroups.all.flatMap(({ activeTab }) => editorOf(activeTab) ?? []);
  },
  showTextDocument,
  onDidChangeActiveTextEditor: activeChanged.event,
  onDidChangeTextEditorSelection: never,
} satisfies Partial<typeof vscode.window>;

type Where = vscode.ViewColumn | vscode.TextDocumentShowOptions | undefined;

function placeOf(where: Where): TabPlace {
  return typeof where === 'number' ? { viewColumn: where } : (where ?? {});
}

addCommand('vscode.open', async (given: vscode.Uri | string, where?: Where) => {
  const uri = typeof given === 'string' ? Uri.parse(given) : given;
  const viewType = customEditorOf(uri);
  await (viewType === undefined
    ? showTextDocument(uri, where)
    : openCustom(uri, viewType, placeOf(where)));
});

addCommand('vscode.openWith', async (uri: vscode.Uri, viewType: string, where?: Where) => {
  await (viewType === 'default'
    ? showTextDocument(uri, where)
    : openCustom(uri, viewType, placeOf(where)));
});

/** A tab that compares: what the extension provides for it is read, and is there until it is closed. */
async function addComparison(
  input: vscode.TabInputTextDiff | undefined,
  name: string,
  sides: readonly vscode.Uri[],
  place: TabPlace,
): Promise<void> {
  for (const uri of sides) {
    await openTextDocument(uri);
  }
  const closed = (): void => sides.forEach(closeDocument);
  addTab(input, { name, closed }, place);
}

addCommand(
  'vscode.diff',
  (original: vscode.Uri, modified: vscode.Uri, name?: string, where?: Where) =>
    addComparison(
      new TabInputTextDiff(original, modified),
      name ?? '',
      [original, modified],
      placeOf(where),
    ),
);

/** Adds a command that opens a tab; as in VS Code, the API doesn't tell what kind of tab it is. */
addCommand(
  'vscode.changes',
  (name: string, files: readonly (readonly (vscode.Uri | undefined)[])[]) => {
    const sides = files.flatMap(([, ...both]) => both.filter((uri) => uri !== undefined));
    return addComparison(
      undefined,
      `${name} (${files.length} ${files.length === 1 ? 'file' : 'files'})`,
      sides.filter(({ scheme }) => scheme !== 'file'),
      {},
    );
  },
);

addCommand('workbench.action.closeAllEditors', () => closeTabs(allTabs()));
addCommand('workbench.action.openEditorAtIndex', (index: number) => {
  const tab = tabGroups.activeTabGroup.tabs[index];
  if (tab !== undefined) {
    showTab(tab);
  }
});
addCommand('workbench.action.closeActiveEditor', () => {
  const tab = focusedTab();
  closeTabs(tab === undefined ? [] : [tab]);
});
