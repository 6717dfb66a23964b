import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { cleanText } from '../../model/text/titles';
import { DisposableStore } from '../../util/disposable';
import { plainLabel } from '../../views/plainLabel';
import {
  type FilterState,
  filterStates,
  maxFilterLength,
  type SessionChoices,
  type SessionFilter,
} from '../../views/sessions/nodes/sessionChoices';

const stateItems: Readonly<Record<FilterState, { label: string; description: string }>> = {
  open: {
    label: l10n.t({ message: 'Open', comment: ['Sessions that are open'] }),
    description: l10n.t('in a tab of this window'),
  },
  unread: { label: l10n.t('Unread'), description: l10n.t('changed since you read them') },
  review: {
    label: l10n.t('To Review'),
    description: l10n.t('with changes that you haven’t decided about'),
  },
  pinned: { label: l10n.t('Pinned'), description: l10n.t('pinned by you') },
  archived: { label: l10n.t('Archived'), description: l10n.t('archived here or by their agent') },
};

interface FilterItem extends vscode.QuickPickItem {
  readonly state?: FilterState;
  readonly agent?: string;
}

/** "Filter Sessions…": a text and any number of choices; without both, everything is shown again. */
export async function filterSessions(agents: Agents, choices: SessionChoices): Promise<void> {
  const filter = await pickFilter(getItems(agents, choices), choices.filter);
  if (filter !== undefined) {
    choices.setFilter(filter);
  }
}

function getItems(agents: Agents, { filter }: SessionChoices): readonly FilterItem[] {
  const states = filterStates.map((state) => ({
    ...stateItems[state],
    state,
    picked: filter.states.includes(state),
  }));
  return [...states, ...agentItems(agents, filter)];
}

function agentItems({ all }: Agents, filter: SessionFilter): readonly FilterItem[] {
  if (all.length < 2) {
    return [];
  }
  return [
    { label: l10n.t('Only these agents'), kind: vscode.QuickPickItemKind.Separator },
    ...all.map(({ id, title }) => ({
      label: plainLabel(cleanText(title, 60)),
      agent: id,
      picked: filter.agents.includes(id),
    })),
  ];
}

/** The typed text is part of the filter, so it doesn't hide the choices. */
async function pickFilter(
  items: readonly FilterItem[],
  { text }: SessionFilter,
): Promise<SessionFilter | undefined> {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<FilterItem>());
  picker.title = l10n.t('Filter Sessions');
  picker.placeholder = l10n.t('Words in a title, folder, or agent; nothing shows all');
  picker.canSelectMany = true;
  picker.value = text;
  picker.items = items.map((item) => ({ ...item, alwaysShow: true }));
  picker.selectedItems = picker.items.filter((item) => item.picked);
  picker.show();
  try {
    return await new Promise((resolve) => {
      store.add(
        picker.onDidAccept(() => {
          const { selectedItems, value } = picker;
          resolve({
            states: selectedItems.flatMap(({ state }) => state ?? []),
            agents: selectedItems.flatMap(({ agent }) => agent ?? []),
            text: value.trim().slice(0, maxFilterLength),
          });
        }),
      );
      store.add(picker.onDidHide(() => resolve(undefined)));
    });
  } finally {
    store.dispose();
  }
}
