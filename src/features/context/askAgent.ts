import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { compose } from '../../commands/session/compose';
import { showInformationMessage } from '../../platform/ui/messages';
import { attachmentOfEditor, getAttachments } from '../../views/transcript/composer/attachments';
import { aboutChanges, chosenChanges } from './changeSubjects';
import type { Subject } from './model/subject';
import type { TerminalCommands } from './terminalCommands';
import { aboutLastCommand, aboutTerminalSelection, isTerminal } from './terminalSubjects';
import { aboutFailedTest } from './testSubjects';

export interface AskServices extends CommandServices {
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
  await composeAbout(services, kind, await findSubject(services, args));
}

/** The same about what is selected in the active terminal. */
export async function askAboutTerminalSelection(
  services: CommandServices,
  kind: Kind,
): Promise<void> {
  await composeAbout(services, kind, await aboutTerminalSelection());
}

/** `subject` can be why there is none. */
async function composeAbout(
  services: CommandServices,
  kind: Kind,
  subject: Subject | string,
): Promise<void> {
  if (typeof subject === 'string') {
    void showInformationMessage(subject);
    return;
  }
  await compose(services, { text: subject[kind], attachments: subject.attachments });
}

/** What a menu was opened on; it says that by what it passes to its commands. */
async function findSubject(
  { panels, terminalCommands }: AskServices,
  args: readonly unknown[],
): Promise<Subject | string> {
  const [first, second] = args;
  if (isTerminal(first)) {
    return aboutLastCommand(terminalCommands, first);
  }
  // The menu of an editor passes its file alone.
  if (Array.isArray(second) && first instanceof vscode.Uri) {
    const files = second.filter((each: unknown) => each instanceof vscode.Uri);
    return aboutFiles(files, panels.recent?.session.agent.supports('promptImage') ?? false);
  }
  const changes = chosenChanges(args);
  if (changes !== undefined) {
    return aboutChanges(changes);
  }
  return aboutFailedTest(first) ?? aboutSelection(vscode.window.activeTextEditor);
}

async function aboutFiles(
  files: readonly vscode.Uri[],
  takesImages: boolean,
): Promise<Subject | string> {
  const { attachments } = await getAttachments(files, takesImages);
  const [first] = attachments;
  if (first === undefined) {
    return l10n.t('Only files on this machine can be added to a prompt.');
  }
  return attachments.length === 1
    ? {
        ask: l10n.t('About {0}: ', first.name),
        explain: l10n.t('Explain {0}.', first.name),
        attachments,
      }
    : { ask: l10n.t('About these files: '), explain: l10n.t('Explain these files.'), attachments };
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
