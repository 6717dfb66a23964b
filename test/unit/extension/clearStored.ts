import * as vscode from 'vscode';
import { Dialogs } from '../../vscode/harness/dialogs';

/** "Clear Stored Data…" with these rows checked and confirmed; returns the rows with what is said about their sizes. */
export async function clearStored(...labels: readonly string[]): Promise<readonly string[]> {
  const dialogs = new Dialogs();
  dialogs.answer = ({ kind }) => (kind === 'pick' ? labels.join('\n') : 'Clear');
  await vscode.commands.executeCommand('acpSessions.storedData.clear');
  dialogs.dispose();
  const [list] = dialogs.asked;
  return list?.choices.map((label, at) => `${label} ${list.descriptions?.[at] ?? ''}`) ?? [];
}
