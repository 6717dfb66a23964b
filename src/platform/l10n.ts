import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

/*
 * Must be imported first: texts in module-level tables are translated when their modules are
 * loaded. Folders without access to VS Code use the same library, as the webview does.
 */
if (vscode.l10n.bundle) {
  config({ contents: vscode.l10n.bundle });
}
