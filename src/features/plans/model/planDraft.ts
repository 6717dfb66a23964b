import * as l10n from '@vscode/l10n';
import type { PlanEntry } from '../../../shared/transcript/entries';
import type { Draft } from '../../../shared/transcript/prompt';
import { getBeginning } from '../../../util/textParts';
import { getPlanText } from './planText';

/** UTF-16 units of a plan that is attached. */
const maxLength = 200_000;

/** A prompt to carry out a plan, which is attached to it. */
export function getPlanDraft(plan: PlanEntry): Draft {
  const text = getBeginning(getPlanText(plan), maxLength);
  return {
    text: l10n.t('Carry out this plan.'),
    attachments: [
      {
        type: 'text',
        uri: 'acp-sessions:plan.md',
        name: l10n.t('Plan'),
        text,
      },
    ],
  };
}
