import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { outputText } from '../../shared/terminal/outputText';
import { withoutSecrets } from '../../util/secrets/secretText';
import { getBeginning } from '../../util/textParts';
import { ranCommandName, ranCommandText } from './model/ranCommand';
import type { Subject } from './model/subject';
import type { TerminalCommands } from './terminalCommands';

const uri = 'acp-sessions:terminal.txt';
/** UTF-16 units of a selection. */
const maxSelected = 100_000;

/** Whether a menu was opened on a terminal: VS Code has no class of them. */
export function isTerminal(argument: unknown): argument is vscode.Terminal {
  return vscode.window.terminals.some((terminal) => terminal === argument);
}

/** The last command of a terminal with its output, or why it isn't known. */
export function aboutLastCommand(
  commands: TerminalCommands,
  terminal: vscode.Terminal,
): Subject | string {
  const last = commands.lastOf(terminal);
  if (last === undefined) {
    return l10n.t(
      'VS Code hasn’t told which command ran last in this terminal: its shell integration may be off there. Select some of the output instead.',
    );
  }
  const text = ranCommandText(last);
  const name = ranCommandName(last);
  return {
    ask: l10n.t('About {0}: ', `\`${name}\``),
    explain: l10n.t('Explain the output of this command.'),
    attachments: [{ type: 'text', uri, name, text, detail: name }],
  };
}

/** What is selected in the active terminal. */
export async function aboutTerminalSelection(): Promise<Subject | string> {
  const selected = getBeginning(await readSelection(), maxSelected);
  const text = withoutSecrets(outputText(selected)).trimEnd();
  const name = l10n.t('Terminal selection');
  return text === ''
    ? l10n.t('Select some text in a terminal first.')
    : {
        ask: l10n.t('About this output: '),
        explain: l10n.t('Explain this output.'),
        attachments: [{ type: 'text', uri, name, text }],
      };
}

/** VS Code tells the selection of a terminal to nobody, but copies it. The clipboard gets its text back. */
async function readSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}
