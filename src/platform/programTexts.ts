import * as vscode from 'vscode';

/** The variables of a program of ours that shows texts: it reads them from VS Code's l10n bundle for this extension. */
export function programTexts(): Readonly<Record<string, string>> {
  const { uri } = vscode.l10n;
  return uri?.scheme === 'file' ? { ACP_SESSIONS_TEXTS: uri.fsPath } : {};
}
