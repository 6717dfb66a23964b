import type * as vscode from 'vscode';
import { Uri } from './uri';

export class ThemeIcon implements vscode.ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color?: vscode.ThemeColor;

  constructor(id: string, color?: vscode.ThemeColor) {
    this.id = id;
    if (color !== undefined) {
      this.color = color;
    }
  }
}

export class ThemeColor implements vscode.ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TreeItem implements vscode.TreeItem {
  label?: string | vscode.TreeItemLabel;
  resourceUri?: vscode.Uri;
  collapsibleState?: vscode.TreeItemCollapsibleState;

  constructor(
    shown: string | vscode.TreeItemLabel | vscode.Uri,
    collapsibleState?: vscode.TreeItemCollapsibleState,
  ) {
    if (typeof shown === 'object' && 'scheme' in shown) {
      this.resourceUri = shown;
    } else {
      this.label = shown;
    }
    if (collapsibleState !== undefined) {
      this.collapsibleState = collapsibleState;
    }
  }
}

export class CodeLens implements vscode.CodeLens {
  range: vscode.Range;
  command?: vscode.Command;

  constructor(range: vscode.Range, command?: vscode.Command) {
    this.range = range;
    if (command !== undefined) {
      this.command = command;
    }
  }

  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class RelativePattern implements vscode.RelativePattern {
  baseUri: vscode.Uri;
  pattern: string;

  constructor(base: vscode.WorkspaceFolder | vscode.Uri | string, pattern: string) {
    this.baseUri = typeof base === 'string' ? Uri.file(base) : 'uri' in base ? base.uri : base;
    this.pattern = pattern;
  }

  get base(): string {
    return this.baseUri.fsPath;
  }
}

export class TabInputText implements vscode.TabInputText {
  readonly uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
}

export class TabInputTextDiff implements vscode.TabInputTextDiff {
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;

  constructor(original: vscode.Uri, modified: vscode.Uri) {
    this.original = original;
    this.modified = modified;
  }
}

export class TabInputCustom implements vscode.TabInputCustom {
  readonly uri: vscode.Uri;
  readonly viewType: string;

  constructor(uri: vscode.Uri, viewType: string) {
    this.uri = uri;
    this.viewType = viewType;
  }
}

export class TabInputWebview implements vscode.TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export class TabInputNotebook implements vscode.TabInputNotebook {
  readonly uri: vscode.Uri;
  readonly notebookType: string;

  constructor(uri: vscode.Uri, notebookType: string) {
    this.uri = uri;
    this.notebookType = notebookType;
  }
}

export class FileSystemError extends Error implements vscode.FileSystemError {
  static FileNotFound = made('FileNotFound');
  static FileExists = made('FileExists');
  static FileNotADirectory = made('FileNotADirectory');
  static FileIsADirectory = made('FileIsADirectory');
  static NoPermissions = made('NoPermissions');
  static Unavailable = made('Unavailable');
  readonly code: string;

  constructor(about: string | vscode.Uri = '', code = 'Unknown') {
    super(String(about));
    this.code = code;
    this.name = `${code} (FileSystemError)`;
  }
}

function made(code: string): (about?: string | vscode.Uri) => FileSystemError {
  return (about) => new FileSystemError(about, code);
}

export class CodeActionKind {
  static readonly QuickFix = new CodeActionKind('quickfix');

  private constructor(readonly value: string) {}
}
