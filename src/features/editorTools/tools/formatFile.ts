import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type EditorTool, ToolRefusal } from '../model/tool';
import { change } from './acting';
import { fileArgument, nameOf } from './filePlaces';
import { askOnce } from './languageAnswers';
import { editsOf } from './textChanges';

export const formatFile: EditorTool = {
  name: 'format',
  description: 'Formats a file as the editor is set up to. The user sees the changes first.',
  properties: { path: { type: 'string', description: 'The file.' } },
  required: ['path'],
  acts: true,
  run: async (args, session, signal) => {
    const uri = await fileArgument(args, session);
    if (uri === undefined) {
      throw new ToolRefusal('Name a "path".');
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const settings = vscode.workspace.getConfiguration('editor', document);
    const edits = await askOnce('vscode.executeFormatDocumentProvider', uri, {
      tabSize: settings.get('tabSize', 4),
      insertSpaces: settings.get('insertSpaces', true),
    });
    if (!Array.isArray(edits)) {
      throw new ToolRefusal('No formatter of this language is installed.');
    }
    const files = await editsOf([[uri, edits as readonly vscode.TextEdit[]]], session);
    return change(l10n.t('Format {0}', nameOf(uri, session)), files, session, signal);
  },
};
