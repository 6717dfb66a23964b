import * as l10n from '@vscode/l10n';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import type { Happening } from '../../views/attention/attention';

const messages = {
  turnEnded: showInformationMessage,
  needsAnswer: showWarningMessage,
  failed: showErrorMessage,
} as const;

/** Shows VS Code's own notification. Resolves when it is gone; whether the user wants to see the session. */
export async function notify(kind: Happening['kind'], text: string): Promise<boolean> {
  return (await messages[kind](text, l10n.t('Show'))) !== undefined;
}
