import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showArgv } from '../../commands/agents/argv';
import { cleanText } from '../../model/text/titles';
import { offerActions } from '../../platform/ui/failureActions';
import { showInformationMessage } from '../../platform/ui/messages';
import { plainLabel } from '../../views/plainLabel';
import { type OwnEntry, ownEntries, type Setup } from './setupServices';

/** The entry of this agent in the user's own settings, or the one that the user chooses. */
export async function chooseOwn(
  { settings }: Setup,
  id: string | undefined,
  title: string,
): Promise<OwnEntry | undefined> {
  const all = ownEntries(settings).filter((own) => id === undefined || own.id === id);
  if (all.length === 0) {
    await offerActions(
      showInformationMessage,
      l10n.t('Only agents of your own settings are changed here, and this isn’t one.'),
      ['editAgents'],
    );
    return undefined;
  }
  if (id !== undefined) {
    return all[0];
  }
  const items = all.map((own) => ({
    label: plainLabel(cleanText(own.title, 60)),
    detail: plainLabel(own.url ?? showArgv([own.command, ...own.args])),
    own,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.own;
}
