import * as l10n from '@vscode/l10n';
import { AcpError } from '../../protocol/errors';
import { withoutLikelySecrets } from '../../util/secretText';
import { cleanText } from '../text/titles';

/** Of what an agent says, in UTF-16 units. */
export const longestWords = 240;

/** What an agent said about its error, in quotes (ER-4). */
export function quote(error: unknown): string {
  const said = answered(error);
  return said === '' ? '' : l10n.t('It said: “{0}”.', said);
}

/** Only an answer's message is in the agent's words. */
export function answered(error: unknown): string {
  const isAnswer = error instanceof AcpError && error.facts.rpcCode !== undefined;
  return isAnswer ? cleanText(withoutLikelySecrets(error.message), longestWords) : '';
}

/** What the agent wrote last for people, in quotes. */
export function quoteLast(error: AcpError): string {
  const said = lastWords(error);
  return said === '' ? '' : l10n.t('It wrote last: “{0}”.', said);
}

/** Lines of a program's dying that say nothing to a person: its stack, brackets, the version of Node. */
const noWords = /^\s*at |^[^\p{L}\p{N}]*$|^Node\.js v/u;
const tellsWhy =
  /error|fail|fatal|cannot|can't|could ?n[o']t|not found|denied|invalid|unknown|missing|require/i;

/** Of the last lines the one that says why, else the last two with words. */
export function lastWords({ facts: { stderr = [] } }: AcpError): string {
  const lines = stderr.map((line) => cleanText(line, longestWords)).filter((line) => line !== '');
  const words = lines.filter((line) => !noWords.test(line));
  return words.findLast((line) => tellsWhy.test(line)) ?? words.slice(-2).join(' ');
}
