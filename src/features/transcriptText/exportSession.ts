import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CommandTarget, findTarget } from '../../commands/session/sessionTarget';
import { sessionName, titleAbout } from '../../model/agents/whose';
import { getFileName } from '../../model/files/fileName';
import { showInformationMessage } from '../../platform/ui/messages';
import { withText } from './borrowSession';
import { getJsonLines, getMarkdown } from './model/sessionText';
import { openAsText } from './openAsText';
import type { TextServices } from './textServices';

const formats = {
  markdown: { ending: '.md', name: 'Markdown', write: getMarkdown },
  jsonLines: { ending: '.jsonl', name: 'JSON Lines', write: getJsonLines },
} as const;
type Format = keyof typeof formats;

interface Way extends vscode.QuickPickItem {
  readonly way: Format | 'text';
}

/**
 * "Export…": a session's transcript as a file, or as a text in an editor. A key's `args` say as what (`"markdown"`,
 * `"jsonLines"` or `"text"`), for the active tab; otherwise the user is asked.
 */
export async function exportSession(services: TextServices, argument: unknown): Promise<void> {
  const ways = getWays();
  const named = ways.find(({ way }) => way === argument);
  const target = findTarget(services, named === undefined ? argument : undefined);
  if (target === undefined) {
    return;
  }
  const title = titleAbout(l10n.t('Export Session'), target.agent);
  const { way } = named ?? (await vscode.window.showQuickPick(ways, { title })) ?? {};
  if (way === 'text') {
    await openAsText(services, target);
  } else if (way !== undefined) {
    await writeFile(services, target, way);
  }
}

function getWays(): readonly Way[] {
  return [
    { way: 'markdown', label: 'Markdown', detail: l10n.t('A file to be read') },
    {
      way: 'jsonLines',
      label: 'JSON Lines',
      detail: l10n.t('A file for programs, with every update'),
    },
    {
      way: 'text',
      label: l10n.t('Open as Text'),
      detail: l10n.t('In an editor, to be searched, or compared with others'),
    },
  ];
}

/** Writes a session's transcript to a file that the user chooses. */
async function writeFile(
  services: TextServices,
  target: CommandTarget,
  format: Format,
): Promise<void> {
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
