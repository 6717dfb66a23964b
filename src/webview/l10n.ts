import { config } from '@vscode/l10n';

/* Must be imported first: texts in tables are translated when their modules are loaded. */
config({ contents: document.body.dataset['texts'] ?? '{}' });
