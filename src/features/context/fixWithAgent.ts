import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { compose } from '../../commands/session/compose';

import { toProblem } from '../../platform/files/problems';
import { showInformationMessage } from '../../platform/ui/messages';
import type { Attachment } from '../../shared/transcript/prompt';
import { fileUri } from '../../views/transcript/composer/attachments';
import { contextCommandIds } from './commandIds';
import { problemsText } from './model/problemsText';

/** Lines around the problems that go along. */
const around = 3;
const maxLines = 200;

/** "Fix with Agent…" and "Explain with Agent…" beside VS Code's own fixes of a problem, in the editor and in the Problems view. */
export function offerFixes(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions: (document, range, { diagnostics }) => offer(document, range, diagnostics),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function offer(
  document: vscode.TextDocument,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  if (diagnostics.length === 0) {
    return [];
  }
  const actionFor = (title: string, wish: 'fix' | 'explain'): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [...diagnostics];
    action.command = {
      ...{ title, command: contextCommandIds.fixWithAgent },
      arguments: [document.uri, range, wish],
    };
    return action;
  };
  return [
    actionFor(l10n.t('Fix with Agent…'), 'fix'),
    actionFor(l10n.t('Explain with Agent…'), 'explain'),
  ];
}

/**
 * Puts the problems at these lines, or at the cursor, with the lines around them into the composer of a session. Sends
 * nothing.
 */
export async function fixWithAgent(
  services: CommandServices,
  argument: unknown,
  range: unknown,
  wish: unknown,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const uri = argument instanceof vscode.Uri ? argument : editor?.document.uri;
  const lines = range instanceof vscode.Range ? range : editor?.selection;
  const found =
    uri?.scheme === 'file' && lines !== undefined
      ? vscode.languages
          .getDiagnostics(uri)
          .filter(
            (each) =>
              each.range.start.line <= lines.end.line && each.range.end.line >= lines.start.line,
          )
      : [];
  if (uri === undefined || found.length === 0) {
    void showInformationMessage(l10n.t('Place the cursor on a problem first.'));
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  await compose(services, {
    text: wish === 'explain' ? getExplain(found.length) : getFix(found.length),
    attachments: [problemsAttachment(uri, found), linesAttachment(document, found)],
  });
}

function getFix(count: number): string {
  return count === 1 ? l10n.t('Fix this problem.') : l10n.t('Fix these problems.');
}

function getExplain(count: number): string {
  return count === 1 ? l10n.t('Explain this problem.') : l10n.t('Explain these problems.');
}

function problemsAttachment(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): Attachment {
  const all = found.map((each) => toProblem(uri.fsPath, each));
  const text = problemsText(all, (file) => path.basename(file));
  const name = found.length === 1 ? l10n.t('Problem') : l10n.t('{0} problems', found.length);
  return { type: 'text', uri: 'acp-sessions:problems.txt', name, text, detail: text };
}

function linesAttachment(
  document: vscode.TextDocument,
  found: readonly vscode.Diagnostic[],
): Attachment {
  const starts = found.map(({ range }) => range.start.line);
  const ends = found.map(({ range }) => range.end.line);
  const first = Math.max(0, Math.min(...starts) - around);
  const last = Math.min(document.lineCount - 1, Math.max(...ends) + around, first + maxLines - 1);
  const end = document.lineAt(last).range.end;
  return {
    type: 'selection',
    uri: fileUri(document.uri),
    name: path.basename(document.uri.fsPath),
    startLine: first + 1,
    endLine: last + 1,
    text: document.getText(new vscode.Range(new vscode.Position(first, 0), end)),
  };
}
