import * as l10n from '@vscode/l10n';
import { AcpError } from '../../protocol/errors';
import { withoutLikelySecrets } from '../../util/secretText';
import { cleanText } from '../text/titles';

/** Maximum length of quoted agent text, in UTF-16 units. */
export const longestWords = 240;

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
  return isAnswer ? cleanText(withoutLikelySecrets(error.message), longestWords) : '';
}

/** The agent's last words on stderr, as a sentence with a quotation; empty when there are none. */
export function quoteLast(error: AcpError): string {
  const said = lastWords(error);
  return said === '' ? '' : l10n.t('Its last output: “{0}”.', said);
}

/** Lines of a crash without information for the user: stack frames, brackets, the version of Node. */
const noWords = /^\s*at |^[^\p{L}\p{N}]*$|^Node\.js v/u;
const tellsWhy =
  /error|fail|fatal|cannot|can't|could ?n[o']t|not found|denied|invalid|unknown|missing|require/i;

/** The last line of stderr that names a cause; otherwise the last two lines with words. */
export function lastWords({ facts: { stderr = [] } }: AcpError): string {
  const lines = stderr.map((line) => cleanText(line, longestWords)).filter((line) => line !== '');
  const words = lines.filter((line) => !noWords.test(line));
  return words.findLast((line) => tellsWhy.test(line)) ?? words.slice(-2).join(' ');
}
