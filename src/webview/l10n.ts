import { config } from '@vscode/l10n';

/* Imported before anything else: texts in tables are translated as their modules are loaded. */
config({ contents: document.body.dataset['texts'] ?? '{}' });
