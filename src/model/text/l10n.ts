import process from 'node:process';
import { config } from '@vscode/l10n';

/*
 * The texts of a program of its own, from the bundle that the extension names when it starts it. Must be imported first:
 * texts in tables are translated when their modules are loaded.
 */
const bundle = process.env['ACP_SESSIONS_TEXTS'];
if (bundle) {
  config({ fsPath: bundle });
}
