import type * as vscode from 'vscode';

/* The compiler compares the values with VS Code's. */

export const FileType: typeof vscode.FileType = {
  Unknown: 0,
  File: 1,
  Directory: 2,
  SymbolicLink: 64,
};
export const ViewColumn: typeof vscode.ViewColumn = {
  ...{ Active: -1, Beside: -2, One: 1, Two: 2, Three: 3, Four: 4, Five: 5, Six: 6, Seven: 7 },
  ...{ Eight: 8, Nine: 9 },
};
export const TreeItemCollapsibleState: typeof vscode.TreeItemCollapsibleState = {
  None: 0,
  Collapsed: 1,
  Expanded: 2,
};
export const ExtensionMode: typeof vscode.ExtensionMode = {
  Production: 1,
  Development: 2,
  Test: 3,
};
export const ExtensionKind: typeof vscode.ExtensionKind = { UI: 1, Workspace: 2 };
export const UIKind: typeof vscode.UIKind = { Desktop: 1, Web: 2 };
export const StatusBarAlignment: typeof vscode.StatusBarAlignment = { Left: 1, Right: 2 };
export const ProgressLocation: typeof vscode.ProgressLocation = {
  SourceControl: 1,
  Window: 10,
  Notification: 15,
};
export const ConfigurationTarget: typeof vscode.ConfigurationTarget = {
  Global: 1,
  Workspace: 2,
  WorkspaceFolder: 3,
};
export const QuickPickItemKind: typeof vscode.QuickPickItemKind = { Separator: -1, Default: 0 };
export const InputBoxValidationSeverity: typeof vscode.InputBoxValidationSeverity = {
  Info: 1,
  Warning: 2,
  Error: 3,
};
export const LogLevel: typeof vscode.LogLevel = {
  Off: 0,
  Trace: 1,
  Debug: 2,
  Info: 3,
  Warning: 4,
  Error: 5,
};
export const EndOfLine: typeof vscode.EndOfLine = { LF: 1, CRLF: 2 };
export const FileChangeType: typeof vscode.FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const TextEditorRevealType: typeof vscode.TextEditorRevealType = {
  ...{ Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 },
};
export const TextEditorSelectionChangeKind: typeof vscode.TextEditorSelectionChangeKind = {
  Keyboard: 1,
  Mouse: 2,
  Command: 3,
};
export const TerminalExitReason: typeof vscode.TerminalExitReason = {
  ...{ Unknown: 0, Shutdown: 1, Process: 2, User: 3, Extension: 4 },
};
export const CommentMode: typeof vscode.CommentMode = { Editing: 0, Preview: 1 };
export const CommentThreadState: typeof vscode.CommentThreadState = { Unresolved: 0, Resolved: 1 };
export const CommentThreadCollapsibleState: typeof vscode.CommentThreadCollapsibleState = {
  Collapsed: 0,
  Expanded: 1,
};
