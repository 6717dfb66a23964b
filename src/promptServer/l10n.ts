import process from 'node:process';
import { config } from '@vscode/l10n';

/* Imported before anything else: texts in tables are translated as their modules are loaded. */
const bundle = process.env['ACP_SESSIONS_TEXTS'];
if (bundle) {
  config({ fsPath: bundle });
}
