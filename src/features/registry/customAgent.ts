import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseArgv, showArgv } from '../../commands/agents/argv';
import type { AgentEntry } from '../../platform/settings/settings';
import { showInformationMessage } from '../../platform/ui/messages';

/** Shows the whole command before anything is written. */
export async function confirmCommand(title: string, argv: readonly string[]): Promise<boolean> {
  const add = l10n.t('Add');
  const detail = l10n.t(
    'It is started with:\n\n{0}\n\nIt runs with your permissions.',
    showArgv(argv),
  );
  const answer = await showInformationMessage(
    l10n.t('Add {0} to your settings?', title),
    { modal: true, detail },
    add,
  );
  return answer === add;
}

/** Asks for the title, the program and the arguments of any other agent. */
export async function askForEntry(): Promise<AgentEntry | undefined> {
  const title = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (1 of 3)'),
    prompt: l10n.t('What the agent is called in the view'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter a title.') : undefined),
  });
  if (title === undefined) {
    return undefined;
  }
  const command = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (2 of 3)'),
    prompt: l10n.t(
      'The program that starts it: a name on PATH or an absolute path, without arguments',
    ),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter a program.') : undefined),
  });
  if (command === undefined) {
    return undefined;
  }
  const args = await askForArguments(command.trim());
  if (args === undefined || !(await confirmCommand(title.trim(), [command.trim(), ...args]))) {
    return undefined;
  }
  return { title: title.trim(), command: command.trim(), args };
}

async function askForArguments(command: string): Promise<readonly string[] | undefined> {
  const line = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (3 of 3)'),
    prompt: l10n.t('Its arguments, separated by spaces; quotes keep one together. None is fine.'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const argv = parseArgv(text);
      return argv.kind === 'unclosed'
        ? l10n.t('A quote ({0}) is not closed.', argv.quote)
        : {
            message: l10n.t('Runs: {0}', showArgv([command, ...argv.list])),
            severity: vscode.InputBoxValidationSeverity.Info,
          };
    },
  });
  const argv = line === undefined ? undefined : parseArgv(line);
  return argv?.kind === 'arguments' ? argv.list : undefined;
}
