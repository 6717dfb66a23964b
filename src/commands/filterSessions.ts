import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../model/agents';
import { cleanText } from '../model/titles';
import { plainLabel } from '../views/plainLabel';
import { type FilterState, filterStates, type SessionChoices } from '../views/sessions/choices';

const stateItems: Readonly<Record<FilterState, { label: string; description: string }>> = {
  open: {
    label: l10n.t({ message: 'Open', comment: ['Sessions that are open'] }),
    description: l10n.t('in a tab of this window'),
  },
  unread: { label: l10n.t('Unread'), description: l10n.t('changed since you read them') },
  pinned: { label: l10n.t('Pinned'), description: l10n.t('pinned by you') },
  archived: { label: l10n.t('Archived'), description: l10n.t('put away, here or by their agent') },
};

interface FilterItem extends vscode.QuickPickItem {
  readonly state?: FilterState;
  readonly agent?: string;
}

/** "Filter Sessions…": several choices at once; none shows everything again. */
export async function filterSessions(agents: Agents, choices: SessionChoices): Promise<void> {
  const { filter } = choices;
  const states: FilterItem[] = filterStates.map((state) => ({
    ...stateItems[state],
    state,
    picked: filter.states.includes(state),
  }));
  const picked = await vscode.window.showQuickPick([...states, ...agentItems(agents, choices)], {
    title: l10n.t('Filter Sessions'),
    placeHolder: l10n.t('Which sessions to show? None: all but the archived ones'),
    canPickMany: true,
  });
  if (picked !== undefined) {
    choices.setFilter({
      states: picked.flatMap(({ state }) => state ?? []),
      agents: picked.flatMap(({ agent }) => agent ?? []),
    });
  }
}

function agentItems({ all }: Agents, { filter }: SessionChoices): readonly FilterItem[] {
  if (all.length < 2) {
    return [];
  }
  return [
    { label: l10n.t('Of these agents only'), kind: vscode.QuickPickItemKind.Separator },
    ...all.map(({ id, title }) => ({
      label: plainLabel(cleanText(title, 60)),
      agent: id,
      picked: filter.agents.includes(id),
    })),
  ];
}
