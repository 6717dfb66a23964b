import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isInside } from '../model/files/roots';
import { cleanText } from '../model/text/titles';
import { literalLine } from '../shared/literal';
import { isElsewhere } from '../util/elsewhere';
import { isNetworkPath } from '../util/networkPath';
import { realPath } from './files/realPath';
import { readLink } from './ui/links';
import { showWarningMessage } from './ui/messages';

/** How the paths in a session are resolved. */
export interface PathContext {
  /** The base of relative paths. */
  readonly cwd: string;
  /** The session's folders, whose files open without a confirmation. */
  readonly roots: readonly string[];
}

/** Opens the target of a transcript's link after checking it; shows the reason if it is refused. */
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

/**
 * Opens an address that passed `readLink`; VS Code asks the user first, unless its domain is
 * trusted.
 */
export async function openInBrowser(url: string): Promise<void> {
  // A Uri would decode the encoded parts of the query, which breaks logins. VS Code passes a string
  // on unchanged (microsoft/vscode#173239), although the type doesn't allow it.
  await vscode.env.openExternal(url as unknown as vscode.Uri);
}

/**
 * Opens a file at a line (1-based, clamped to the file). Asks first if the file, or the target of a
 * symbolic link, is outside of the workspace folders and the session's folders. Returns whether the
 * file was opened.
 */
export async function openFile(
  file: string,
  line: number | undefined,
  context: PathContext,
): Promise<boolean> {
  const target = path.resolve(context.cwd, file);
  if (isElsewhere(context.cwd) || isElsewhere(target)) {
    void showWarningMessage(
      l10n.t(
        '“{0}” is a file of the agent’s machine, so it can’t be opened here.',
        cleanText(file, 300),
      ),
    );
    return false;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  // The session's roots come from the agent: a network path among them must not grant access to it.
  const roots = [...folders, ...context.roots.filter((root) => !isNetworkPath(root))];
  // Asked before the file is accessed: see `isNetworkPath`.
  const outside = !isInside(target, roots);
  if (outside && !(await confirmOutside(target))) {
    return false;
  }
  const real = await realPath(target);
  if (real === undefined) {
    void showWarningMessage(
      l10n.t('The file “{0}” no longer exists.', vscode.workspace.asRelativePath(target)),
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
    // VS Code waits for a pipe until something writes to it, and reads a device endlessly:
    // https://github.com/microsoft/vscode/issues/148034
    void showWarningMessage(
      l10n.t('“{0}” is a pipe or a device and can’t be opened.', cleanText(target, 300)),
    );
    return false;
  }
  await showDocument(uri, line);
  return true;
}

async function showDocument(uri: vscode.Uri, line: number | undefined): Promise<void> {
  if (line === undefined) {
    // Opens in the editor that the user has chosen for the file type: an image opens as an image.
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
