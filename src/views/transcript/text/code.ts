import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { textWriter } from '../../../model/transcript/textWriter';
import type { LastEditor } from '../../../platform/ui/lastEditor';
import { showWarningMessage } from '../../../platform/ui/messages';
import type { CodePlace, FromWebview } from '../../../shared/transcript/webviewMessages';
import { findLanguageId } from '../rows/languageIds';
import type { PanelSession } from '../tabs/panelSession';
import { findText } from './openParts';

type CodeUse = Extract<FromWebview, { type: 'useCode' }>;

/** Maximum length of code to insert, in UTF-16 code units: longer code belongs in a file. */
const maxInsertedLength = 1_000_000;
/** Maximum length of code to open, in UTF-16 code units: VS Code holds several copies of it. */
const maxOpenedLength = 10_000_000;

/** A piece of code from the model: for Markdown the code block at `at`, otherwise the whole part. */
export async function codeAt(
  { shown }: Pick<PanelSession, 'shown'>,
  { index, part, item, at }: CodePlace,
): Promise<string | undefined> {
  const entry = shown.at(index);
  const text = entry && findText(entry, part, item);
  if (text?.name !== 'message.md') {
    return text?.text;
  }
  const { findCode } = await textWriter();
  return findCode(text.text, at);
}

/** Inserts a piece of code at the user's cursor, or opens it as an untitled file. */
export async function useCode(
  session: Pick<PanelSession, 'shown'>,
  editor: Pick<LastEditor, 'insert'>,
  use: CodeUse,
): Promise<void> {
  const code = await codeAt(session, use);
  if (code === undefined) {
    return;
  }
  if (code.length > (use.how === 'insert' ? maxInsertedLength : maxOpenedLength)) {
    void showWarningMessage(l10n.t('This code is too long for an editor. Copy it instead.'));
  } else if (use.how === 'insert') {
    await editor.insert(code);
  } else {
    const language = findLanguageId(use.language, await vscode.languages.getLanguages());
    const document = await vscode.workspace.openTextDocument({
      content: code,
      ...(language !== undefined && { language }),
    });
    await vscode.window.showTextDocument(document);
  }
}
