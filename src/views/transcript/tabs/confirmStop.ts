import * as l10n from '@vscode/l10n';
import { showWarningMessage } from '../../../platform/ui/messages';

/** Asks whether a task with this title is to be stopped, which loses what it hasn't finished. */
export async function confirmStop(title: string): Promise<boolean> {
  const stop = l10n.t('Stop');
  const question = l10n.t('Stop “{0}”?', title);
  const detail = l10n.t('It ends at once. What it hasn’t finished is lost.');
  return (await showWarningMessage(question, { modal: true, detail }, stop)) === stop;
}
