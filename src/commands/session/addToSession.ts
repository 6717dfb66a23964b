import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import {
  attachmentOfEditor,
  getAttachments,
  reportRefused,
} from '../../views/transcript/composer/attachments';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { CommandServices } from './commandServices';

/** "Add Selection to Session": adds the editor's selection to the session's composer. */
export async function addSelection(services: CommandServices): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void showInformationMessage(l10n.t('Select some text in an editor first.'));
    return;
  }
  // Taken now, because choosing a session moves the focus.
  const attachment = attachmentOfEditor(editor);
  (await receiver(services))?.attach([attachment]);
}

/** "Add File to Session": from the Explorer, an editor's tab, or the active editor. */
export async function addFile(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const uris = getUris(argument, selection);
  if (uris.length === 0) {
    void showInformationMessage(l10n.t('Open a file, or choose one in the explorer.'));
    return;
  }
  const panel = await receiver(services);
  if (panel !== undefined) {
    const read = await getAttachments(uris, panel.session.agent.supports('promptImage'));
    reportRefused(read, panel.session);
    if (read.attachments.length > 0) {
      panel.attach(read.attachments);
    }
  }
}

function getUris(argument: unknown, selection: unknown): readonly vscode.Uri[] {
  const selected = Array.isArray(selection) ? selection : [argument];
  const uris = selected.filter((value: unknown) => value instanceof vscode.Uri);
  const active = vscode.window.activeTextEditor?.document.uri;
  return uris.length > 0 || active === undefined ? uris : [active];
}

/** The active or last active tab; without one, the tab of a session that the user chooses. */
async function receiver(services: CommandServices): Promise<TranscriptPanel | undefined> {
  const { panels } = services;
  if (panels.recent !== undefined) {
    return panels.recent;
  }
  const picked = await pickSession(services);
  return picked && panels.open(picked.list.agent, picked.row.info);
}
