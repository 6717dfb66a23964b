import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ComposeServices, compose } from '../../commands/session/compose';
import { showInformationMessage } from '../../platform/ui/messages';
import { attachmentOfEditor } from '../../views/transcript/composer/attachments';

/**
 * Puts the selection of the active editor into the composer of a session, with the beginning of a question. Sends
 * nothing.
 */
export async function askAgent(services: ComposeServices): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    void showInformationMessage(l10n.t('Select some text in an editor first.'));
    return;
  }
  // Taken now, because a new session takes the focus.
  const attachment = attachmentOfEditor(editor);
  await compose(services, {
    text: l10n.t('About {0}: ', attachment.name),
    attachments: [attachment],
  });
}
