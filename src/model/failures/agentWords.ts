import * as l10n from '@vscode/l10n';
import { AcpError } from '../../protocol/errors';
import { withoutSecrets } from '../../util/secrets/secretText';
import { cleanText } from '../text/titles';
import { lastWords, maxWordsLength } from './lastWords';

/**
 * The agent's message about its error, as a sentence with a quotation (ER-4); empty when there is none.
 */
export function quote(error: unknown): string {
  const said = answered(error);
  return said === '' ? '' : l10n.t('It said: “{0}”.', said);
}

/** The agent's own error message. Only an error response has one; other errors are worded by us. */
export function answered(error: unknown): string {
  const isAnswer = error instanceof AcpError && error.facts.rpcCode !== undefined;
  return isAnswer ? cleanText(withoutSecrets(error.message), maxWordsLength) : '';
}

/** What the agent itself says of an error: its message, otherwise its last words; empty when there are none. */
export function quoteError(error: AcpError): string {
  return answered(error) || lastWords(error.facts);
}

/** The agent's last words, as a sentence with a quotation; empty when there are none. */
export function quoteLast(error: AcpError): string {
  const said = lastWords(error.facts);
  return said === '' ? '' : l10n.t('Its last output: “{0}”.', said);
}
