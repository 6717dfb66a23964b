import * as l10n from '@vscode/l10n';
import type { Agent } from '../agent';
import { cleanText } from '../text/titles';

/** Maximum length of each part, in UTF-16 units. */
const longest = 60;

/** With which plan, key or gateway the agent works, as far as it tells. */
export function accountLabel({ account }: Pick<Agent, 'account'>): string | undefined {
  if (account === undefined) {
    return undefined;
  }
  const { label } = account;
  return label === undefined ? l10n.t('not signed in') : cleanText(label, longest);
}

/** The same with the account's name or the like: `Claude Max (someone@example.org)`. */
export function accountText({ account }: Pick<Agent, 'account'>): string | undefined {
  const label = accountLabel({ account });
  const details = account?.details.map((detail) => cleanText(detail, longest)) ?? [];
  return label === undefined || details.length === 0 ? label : `${label} (${details.join(', ')})`;
}
