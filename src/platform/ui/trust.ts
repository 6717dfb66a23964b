import { offerActions } from './failureActions';
import { showWarningMessage } from './messages';

/** Says why something needs a trusted workspace, with a way to trust it. */
export function tellUntrusted(message: string): Promise<void> {
  return offerActions(showWarningMessage, message, ['manageTrust', 'learnTrust']);
}
