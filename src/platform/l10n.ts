import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

/*
 * Imported before anything else: texts in tables are translated as their modules are loaded. Folders that
 * know no VS Code take theirs from the same library, as the webview does.
 */
if (vscode.l10n.bundle) {
  config({ contents: vscode.l10n.bundle });
}
