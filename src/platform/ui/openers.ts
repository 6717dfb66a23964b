import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isInside } from '../../model/files/roots';
import { cleanText } from '../../model/text/titles';
import { literalLine } from '../../shared/literal';
import { realPath } from '../files/realPath';
import { readLink } from './links';
import { showWarningMessage } from './messages';

/** Where the paths of a session are at home. */
export interface PathContext {
  /** What relative paths start from. */
  readonly cwd: string;
  /** Folders whose files open without a question: the session's own. */
  readonly roots: readonly string[];
}

/** Opens what a link of a transcript leads to, after our own check; says why when it doesn't. */
export async function openLink(href: string, context: PathContext): Promise<void> {
  const link = readLink(href, context.cwd);
  switch (link.kind) {
    case 'external':
      await openInBrowser(link.url);
      return;
    case 'file':
      await openFile(link.path, link.line, context);
      return;
    case 'refused':
      void showWarningMessage(link.reason);
  }
}

/** Opens an address that passed `readLink`; VS Code asks the person before it does, unless they trust its domain. */
export async function openInBrowser(url: string): Promise<void> {
  // A Uri would decode what is encoded in the query, and logins fail with that. VS Code takes a text as it is
  // (microsoft/vscode#173239), although its type doesn't say so.
  await vscode.env.openExternal(url as unknown as vscode.Uri);
}

/**
 * Opens a file at a line (1-based, clamped to the file). Asks first when the file, or what a symbolic
 * link leads to, lies outside of the workspace folders and the session's own. Returns whether the
 * file was opened.
 */
export async function openFile(
  file: string,
  line: number | undefined,
  context: PathContext,
): Promise<boolean> {
  const target = path.resolve(context.cwd, file);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  // A session's own roots are the agent's word: a network path among them must not open the way to it.
  const roots = [...folders, ...context.roots.filter((root) => !/^[\\/]{2}/.test(root))];
  // Asked before the file is touched: on Windows even looking at a network path tells its host who you are.
  const outside = !isInside(target, roots);
  if (outside && !(await confirmOutside(target))) {
    return false;
  }
  const real = await realPath(target);
  if (real === undefined) {
    void showWarningMessage(
      l10n.t('There is no file “{0}” any more.', vscode.workspace.asRelativePath(target)),
    );
    return false;
  }
  if (!outside && !isInside(real, await realRoots(roots)) && !(await confirmOutside(real))) {
    return false;
  }
  const uri = vscode.Uri.file(target);
  const facts = await stat(real);
  if (facts.isDirectory()) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return false;
  }
  if (!facts.isFile()) {
    // VS Code waits for a pipe until somebody writes to it, and reads a device without end:
    // https://github.com/microsoft/vscode/issues/148034
    void showWarningMessage(
      l10n.t('“{0}” is a pipe or a device, and is not opened.', cleanText(target, 300)),
    );
    return false;
  }
  await showDocument(uri, line);
  return true;
}

async function showDocument(uri: vscode.Uri, line: number | undefined): Promise<void> {
  if (line === undefined) {
    // The editor of the person's choice: an image opens as an image.
    await vscode.commands.executeCommand('vscode.open', uri);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const row = Math.min(Math.max(line, 1), document.lineCount) - 1;
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(row, 0, row, 0) });
}

async function confirmOutside(file: string): Promise<boolean> {
  const open = l10n.t('Open');
  const answer = await showWarningMessage(
    l10n.t('Open a file outside of this workspace?'),
    { modal: true, detail: l10n.t('The transcript points to {0}', literalLine(file)) },
    open,
  );
  return answer === open;
}

async function realRoots(roots: readonly string[]): Promise<string[]> {
  return Promise.all(roots.map(async (root) => (await realPath(root)) ?? root));
}
