import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ComposeServices, compose } from '../../commands/session/compose';
import { showInformationMessage } from '../../platform/ui/messages';
import { attachmentOfEditor } from '../../views/transcript/composer/attachments';
import type { Subject } from './model/subject';
import type { TerminalCommands } from './terminalCommands';
import { aboutLastCommand, aboutTerminalSelection, isTerminal } from './terminalSubjects';

export interface AskServices extends ComposeServices {
  readonly terminalCommands: TerminalCommands;
}

type Kind = 'ask' | 'explain';

/**
 * Puts what a menu was opened on, or the selection of the active editor, into the composer of a session, with the
 * beginning of a question or the wish to have it explained. Sends nothing.
 */
export async function askAgent(
  services: AskServices,
  kind: Kind,
  ...args: readonly unknown[]
): Promise<void> {
  // Taken now, because a new session takes the focus.
  await composeAbout(services, kind, findSubject(services, args));
}

/** The same about what is selected in the active terminal. */
export async function askAboutTerminalSelection(
  services: ComposeServices,
  kind: Kind,
): Promise<void> {
  await composeAbout(services, kind, await aboutTerminalSelection());
}

/** `subject` can be why there is none. */
async function composeAbout(
  services: ComposeServices,
  kind: Kind,
  subject: Subject | string,
): Promise<void> {
  if (typeof subject === 'string') {
    void showInformationMessage(subject);
    return;
  }
  await compose(services, { text: subject[kind], attachments: subject.attachments });
}

function findSubject(services: AskServices, [first]: readonly unknown[]): Subject | string {
  return isTerminal(first)
    ? aboutLastCommand(services.terminalCommands, first)
    : aboutSelection(vscode.window.activeTextEditor);
}

function aboutSelection(editor: vscode.TextEditor | undefined): Subject | string {
  if (editor === undefined || editor.selection.isEmpty) {
    return l10n.t('Select some text in an editor first.');
  }
  const attachment = attachmentOfEditor(editor);
  const { name } = attachment;
  return {
    ask: l10n.t('About {0}: ', name),
    explain: l10n.t('Explain these lines of {0}.', name),
    attachments: [attachment],
  };
}
