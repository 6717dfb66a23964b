import type * as vscode from 'vscode';
import { LogLevel, StatusBarAlignment } from './enums';
import { CancellationTokenSource, Disposable, EventEmitter, never } from './events';
import { QuickPick } from './quickPick';
import { tabGroups } from './tabs';
import { terminals } from './terminals';
import { textEditors } from './textEditors';
import { createTreeView } from './treeView';
import { webviews } from './webviews';

const stateChanged = new EventEmitter<vscode.WindowState>();

/** Nobody is there: what asks is closed without an answer. */
const nobody = (): Promise<undefined> => Promise.resolve(undefined);

class StatusBarItem implements vscode.StatusBarItem {
  readonly id: string;
  readonly alignment: vscode.StatusBarAlignment;
  readonly priority: number | undefined;
  name: string | undefined;
  text = '';
  tooltip: string | vscode.MarkdownString | undefined;
  color: string | vscode.ThemeColor | undefined;
  backgroundColor: vscode.ThemeColor | undefined;
  command: string | vscode.Command | undefined;
  accessibilityInformation: vscode.AccessibilityInformation | undefined;

  constructor(id: string, alignment: vscode.StatusBarAlignment, priority?: number) {
    this.id = id;
    this.alignment = alignment;
    this.priority = priority;
  }

  show(): void {
    // Nobody looks.
  }

  hide(): void {
    // Nobody looks.
  }

  dispose(): void {
    // Nothing is left.
  }
}

const nothing = (): void => undefined;

function outputChannel(name: string): vscode.LogOutputChannel {
  const shown = { show: nothing, hide: nothing };
  return {
    name,
    logLevel: LogLevel.Info,
    onDidChangeLogLevel: never,
    ...{ append: nothing, appendLine: nothing, replace: nothing, clear: nothing },
    ...shown,
    dispose: nothing,
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
}

export const window = {
  ...webviews,
  get activeTextEditor() {
    return textEditors.activeTextEditor;
  },
  get visibleTextEditors() {
    return textEditors.visibleTextEditors;
  },
  showTextDocument: textEditors.showTextDocument,
  onDidChangeActiveTextEditor: textEditors.onDidChangeActiveTextEditor,
  onDidChangeTextEditorSelection: textEditors.onDidChangeTextEditorSelection,
  tabGroups,
  get terminals() {
    return terminals.terminals;
  },
  activeTerminal: undefined,
  onDidCloseTerminal: terminals.onDidCloseTerminal,
  onDidStartTerminalShellExecution: terminals.onDidStartTerminalShellExecution,
  onDidEndTerminalShellExecution: terminals.onDidEndTerminalShellExecution,
  createTerminal: terminals.createTerminal,
  state: { focused: true, active: true },
  onDidChangeWindowState: stateChanged.event,
  createTreeView,
  createQuickPick: <T extends vscode.QuickPickItem>() => new QuickPick<T>(),
  showInformationMessage: nobody,
  showWarningMessage: nobody,
  showErrorMessage: nobody,
  showQuickPick: nobody,
  showInputBox: nobody,
  showOpenDialog: nobody,
  showSaveDialog: nobody,
  setStatusBarMessage: () => new Disposable(nothing),
  createStatusBarItem: (
    id?: string | vscode.StatusBarAlignment,
    alignment?: vscode.StatusBarAlignment | number,
    priority?: number,
  ) => new StatusBarItem(String(id), alignment ?? StatusBarAlignment.Left, priority),
  createOutputChannel: outputChannel,
  registerUriHandler: () => new Disposable(nothing),
  withProgress: (_, task) => task({ report: nothing }, new CancellationTokenSource().token),
} satisfies Partial<typeof vscode.window>;
