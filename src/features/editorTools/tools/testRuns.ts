import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { type EditorTool, ToolRefusal } from '../model/tool';
import { orRefusal } from './acting';
import { fileArgument, nameOf } from './filePlaces';

/** Commands of VS Code's Testing view, which resolve when the tests have run. */
const commands = { all: 'testing.runAll', file: 'testing.run.uri' };

export const runTests: EditorTool = {
  name: 'run_tests',
  description:
    'Runs the tests of the Testing view, of a file or all, and waits for their end. Which failed is told only to the user: to read results, run the tests by a command.',
  properties: { path: { type: 'string', description: 'A file with tests; all tests without it.' } },
  acts: true,
  run: async (args, session, signal) => {
    const uri = await fileArgument(args, session);
    const command = uri === undefined ? commands.all : commands.file;
    if (!(await vscode.commands.getCommands(true)).includes(command)) {
      throw new ToolRefusal('This version of VS Code doesn’t let extensions run tests.');
    }
    if (uri === undefined) {
      await mustBeOwn(session);
    }
    const title =
      uri === undefined ? l10n.t('All tests') : l10n.t('Tests of {0}', nameOf(uri, session));
    const start = async (): Promise<void> => {
      await vscode.commands.executeCommand(command, ...(uri === undefined ? [] : [uri]));
    };
    await orRefusal(title, session.run({ title, folder: session.cwd }, start, signal));
    return 'The tests have run, if there are any. The user sees the results in the Testing view; extensions can’t read them.';
  },
};

/** All tests are those of all folders of the window. */
async function mustBeOwn(session: ServedSession): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = await Promise.all(folders.map(({ uri }) => session.has(uri.fsPath)));
  if (folders.length === 0 || own.includes(false)) {
    throw new ToolRefusal(
      'The window has other folders than this session: say the "path" of a file.',
    );
  }
}
