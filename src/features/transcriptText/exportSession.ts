import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CommandTarget, findTarget } from '../../commands/session/sessionTarget';
import { sessionName, titleAbout } from '../../model/agents/whose';
import { getFileName } from '../../model/files/fileName';
import { showInformationMessage } from '../../platform/ui/messages';
import { withText } from './borrowSession';
import { getJsonLines, getMarkdown } from './model/sessionText';
import type { TextServices } from './textServices';

const formats = {
  markdown: { ending: '.md', name: 'Markdown', write: getMarkdown },
  jsonLines: { ending: '.jsonl', name: 'JSON Lines', write: getJsonLines },
} as const;

/** "Export as Markdown…", "Export as JSON Lines…": writes a session's transcript to a file that the user chooses. */
export async function exportSession(
  services: TextServices,
  argument: unknown,
  format: keyof typeof formats,
): Promise<void> {
  const target = findTarget(services, argument);
  if (target === undefined) {
    return;
  }
  const { ending, name, write } = formats[format];
  const file = await vscode.window.showSaveDialog({
    title: titleAbout(l10n.t('Export Session as {0}', name), target.agent),
    saveLabel: l10n.t('Export'),
    defaultUri: vscode.Uri.joinPath(getFolder(target), getFileName(target.title, ending)),
    filters: { [name]: [ending.slice(1)] },
  });
  if (file === undefined) {
    return;
  }
  const isWritten = await withText(
    services,
    target,
    (session) => l10n.t('Exporting {0}', session),
    async (source, signal) => {
      const pieces = await write(source, signal);
      // Checked before writing: half a file would be worse than none.
      signal.throwIfAborted();
      await vscode.workspace.fs.writeFile(file, Buffer.concat(pieces.map((it) => Buffer.from(it))));
      return true;
    },
  );
  if (isWritten) {
    void offerToOpen(target, file);
  }
}

async function offerToOpen(target: CommandTarget, file: vscode.Uri): Promise<void> {
  const open = l10n.t('Open');
  const answer = await showInformationMessage(
    l10n.t('Exported {0} to {1}.', sessionName(target), vscode.workspace.asRelativePath(file)),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  }
}

/** The workspace folder that contains the session's, otherwise the first one. */
function getFolder({ info }: CommandTarget): vscode.Uri {
  const own = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(info.cwd));
  return (own ?? vscode.workspace.workspaceFolders?.[0])?.uri ?? vscode.Uri.file(info.cwd);
}
