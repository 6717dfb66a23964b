import * as vscode from 'vscode';
import { type EditorTool, numberArgument, ToolRefusal } from '../model/tool';
import { fileArgument, nameOf, readable } from './filePlaces';

const maxEditors = 100;
const maxSelection = 20_000;

const openEditors: EditorTool = {
  name: 'open_editors',
  description: 'The files that the user has open in the editor.',
  properties: {},
  run: async (_args, session) => {
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
    const open = tabs.flatMap(({ input, isDirty, isActive }) =>
      input instanceof vscode.TabInputText ? [{ uri: input.uri, isDirty, isActive }] : [],
    );
    const allowed = await readable(
      open.map(({ uri }) => uri),
      session,
    );
    const own = open.filter(({ uri }) => allowed.has(uri.toString()));
    const lines = own.slice(0, maxEditors).map(({ uri, isDirty, isActive }) => {
      const marks = [isActive && 'visible', isDirty && 'unsaved'].filter((mark) => mark !== false);
      return `  ${nameOf(uri, session)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
    });
    const outside = open.length - own.length;
    return [
      `${own.length} open editors${own.length > 0 ? ':' : '.'}`,
      ...lines,
      ...(own.length > maxEditors ? [`${own.length - maxEditors} more are left out.`] : []),
      ...(outside > 0 ? [`${outside} more with files outside this session's folders.`] : []),
    ].join('\n');
  },
};

const selection: EditorTool = {
  name: 'selection',
  description: 'What the user has selected in the editor, or where the cursor is.',
  properties: {},
  run: async (_args, session) => {
    // While a session's tab has the focus, VS Code names no active text editor.
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const editor = editors.find((candidate) => candidate?.document.uri.scheme === 'file');
    if (editor === undefined || !(await session.canRead(editor.document.uri.fsPath))) {
      throw new ToolRefusal("No file of this session's folders is in the user's editor.");
    }
    const { document, selection: selected } = editor;
    const name = nameOf(document.uri, session);
    const { start, end } = selected;
    if (selected.isEmpty) {
      return `Nothing is selected. The cursor is in ${name}, line ${start.line + 1}, column ${start.character + 1}.`;
    }
    const text = document.getText(selected);
    const rest = text.length > maxSelection ? '\n[The rest is left out.]' : '';
    return `Selected in ${name}, lines ${start.line + 1}-${end.line + 1}:\n\n${text.slice(0, maxSelection)}${rest}`;
  },
};

const show: EditorTool = {
  name: 'show',
  description: 'Shows the user lines of a file, in an editor beside.',
  properties: {
    path: { type: 'string', description: 'The file.' },
    line: { type: 'integer', description: 'The first line, from 1.' },
    endLine: { type: 'integer', description: 'The last line.' },
  },
  required: ['path'],
  run: async (args, session) => {
    const uri = await fileArgument(args, session);
    if (uri === undefined) {
      throw new ToolRefusal('Say the "path" of a file.');
    }
    const line = numberArgument(args, 'line');
    const endLine = Math.max(line ?? 1, numberArgument(args, 'endLine') ?? 1);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: true,
      viewColumn: vscode.ViewColumn.Beside,
      ...(line !== undefined && {
        selection: document.validateRange(new vscode.Range(line - 1, 0, endLine - 1, 0)),
      }),
    });
    const lines = line === undefined ? '' : `, lines ${line}-${endLine}`;
    return `Shown: ${nameOf(uri, session)}${lines}.`;
  },
};

/** What the user has open, and what the user should see. */
export const editorsTools: readonly EditorTool[] = [openEditors, selection, show];
