import process from 'node:process';
import { config } from '@vscode/l10n';

/* Must be imported first: texts in tables are translated when their modules are loaded. */
const bundle = process.env['ACP_SESSIONS_TEXTS'];
if (bundle) {
  config({ fsPath: bundle });
}
