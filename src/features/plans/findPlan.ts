import * as l10n from '@vscode/l10n';
import { findEntry } from '../../commands/transcript/findEntry';
import { showInformationMessage } from '../../platform/ui/messages';
import { readSessionRef } from '../../shared/sessionRef';
import type { Entry, PlanEntry } from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';
import { numberAt } from '../../shared/transcript/places';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';

/** A plan in a transcript. */
export interface FoundPlan {
  readonly panel: TranscriptPanel;
  readonly place: number;
  readonly plan: PlanEntry;
}

/** The plan that a page names, otherwise the last one of the active transcript. */
export function findPlan(
  { panels }: { readonly panels: Pick<TranscriptPanels, 'active' | 'find'> },
  argument: unknown,
): FoundPlan | undefined {
  const named = readSessionRef(argument);
  const panel = named === undefined ? panels.active : panels.find(named.agentId, named.sessionId);
  const shown = panel?.session.shown;
  const place = findEntry(argument) ?? shown?.entries.findLastIndex(isPlan) ?? -1;
  const plan = place < 0 ? undefined : shown?.at(place);
  if (panel === undefined || !isPlan(plan)) {
    void showInformationMessage(l10n.t('Open a session with a plan first.'));
    return undefined;
  }
  return { panel, place, plan };
}

/** The plan with the same id as it is now, wherever in the transcript that is; `undefined` if it is gone. */
export function findLatest({ panel, place, plan }: FoundPlan): PlanEntry | undefined {
  const entries = panel.session.shown.getEntries(numberAt(place));
  const found = entries.findLast((entry) => isPlan(entry) && entry.planId === plan.planId);
  return found?.kind === 'plan' ? found : undefined;
}

function isPlan(entry: Entry | undefined): entry is PlanEntry {
  return entry?.kind === 'plan' && !isEmpty(entry);
}
