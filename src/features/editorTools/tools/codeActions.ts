import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import type { JsonObject } from '../../../util/json';
import { type EditorTool, numberArgument, ToolRefusal, textArgument } from '../model/tool';
import { change } from './acting';
import { fileArgument, nameOf } from './filePlaces';
import { ask } from './languageAnswers';
import { changesOf, editsOf } from './textChanges';

const maxActions = 50;
const maxTitle = 200;
/** What only edits texts; other kinds are of extensions that may do anything. */
const kinds = ['quickfix', 'refactor', 'source.organizeImports', 'source.fixAll'];

export const codeAction: EditorTool = {
  name: 'code_action',
  description:
    'Quick fixes and refactorings at lines of a file: lists their titles, or does the one whose "title" you give. The user sees all changes first.',
  properties: {
    path: { type: 'string', description: 'The file.' },
    line: { type: 'integer', description: 'From 1.' },
    column: { type: 'integer', description: 'From 1; the whole line without it.' },
    endLine: { type: 'integer', description: 'The last line of several.' },
    title: { type: 'string', description: 'Exactly as it is listed.' },
  },
  required: ['path', 'line'],
  acts: true,
  run: async (args, session, signal) => {
    const { uri, actions } = await findActions(args, session);
    const title = textArgument(args, 'title');
    if (title === undefined) {
      return list(actions, uri, session);
    }
    const action = actions.find((one) => one.title === title);
    if (action?.edit === undefined) {
      throw new ToolRefusal(
        action === undefined
          ? 'There is no such code action here. List them without "title".'
          : 'This code action isn’t a change of texts but runs a command of an extension, which the tools can’t do. Ask the user to do it in the editor.',
      );
    }
    const files = await editsOf(changesOf(action.edit), session);
    const shown = l10n.t('“{0}” in {1}', title.slice(0, maxTitle), nameOf(uri, session));
    const said = await change(shown, files, session, signal);
    return action.command === undefined ? said : `${said}\nThe command after it was not run.`;
  },
};

async function findActions(
  args: JsonObject,
  session: ServedSession,
): Promise<{ readonly uri: vscode.Uri; readonly actions: readonly vscode.CodeAction[] }> {
  const uri = await fileArgument(args, session);
  const line = numberArgument(args, 'line');
  if (uri === undefined || line === undefined) {
    throw new ToolRefusal('Name a "path" and a "line".');
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const column = numberArgument(args, 'column');
  const endLine = numberArgument(args, 'endLine') ?? line;
  const range = document.validateRange(
    column === undefined
      ? new vscode.Range(line - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER)
      : new vscode.Range(line - 1, column - 1, endLine - 1, column - 1),
  );
  const found = await ask<vscode.CodeAction | vscode.Command>(
    'vscode.executeCodeActionProvider',
    ...[uri, range, undefined, maxActions],
  );
  const actions = found.filter((one): one is vscode.CodeAction => one instanceof vscode.CodeAction);
  return { uri, actions: actions.filter(isOffered).slice(0, maxActions) };
}

function isOffered({ kind, disabled }: vscode.CodeAction): boolean {
  const { value } = kind ?? vscode.CodeActionKind.QuickFix;
  return (
    disabled === undefined && kinds.some((one) => value === one || value.startsWith(`${one}.`))
  );
}

function list(
  actions: readonly vscode.CodeAction[],
  uri: vscode.Uri,
  session: ServedSession,
): string {
  if (actions.length === 0) {
    return `0 code actions. Some language servers know them only for files that the user sees: call "show" with ${nameOf(uri, session)} first.`;
  }
  const lines = actions.map(({ title, edit, isPreferred }) => {
    const notes = [
      ...(isPreferred === true ? ['preferred'] : []),
      ...(edit === undefined ? ['only by the user: runs a command'] : []),
    ];
    const name = title.replaceAll(/\s+/g, ' ').slice(0, maxTitle);
    return `  ${name}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
  });
  return [`${actions.length} code actions:`, ...lines].join('\n');
}
