import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { cleanText } from '../../model/text/titles';
import { DisposableStore } from '../../util/disposable';
import { readAllPages } from '../../views/picker/readPages';
import { plainLabel } from '../../views/plainLabel';
import {
  type FilterState,
  filterStates,
  maxFilterLength,
  type SessionChoices,
  type SessionFilter,
} from '../../views/sessions/nodes/sessionChoices';
import type { SessionsTree } from '../../views/sessions/nodes/tree';

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
  worktree: {
    label: l10n.t('In Worktrees'),
    description: l10n.t('that work in a worktree beside the main one'),
  },
  archived: { label: l10n.t('Archived'), description: l10n.t('archived here or by their agent') },
};

interface FilterItem extends vscode.QuickPickItem {
  readonly state?: FilterState;
  readonly agent?: string;
}

type FilterPicker = vscode.QuickPick<FilterItem>;

export interface FilterServices {
  readonly agents: Pick<Agents, 'all'>;
  readonly choices: SessionChoices;
  readonly tree: Pick<SessionsTree, 'lists' | 'counts' | 'onDidChange'>;
}

/**
 * "Filter Sessions…": a text and any number of choices; without both, everything is shown again. The view follows as the
 * user types, while further pages are read. Enter keeps the filter, Esc brings back the one before.
 */
export async function filterSessions(services: FilterServices): Promise<void> {
  const { choices } = services;
  const before = choices.filter;
  const store = new DisposableStore();
  const picker = store.add(makePicker(getItems(services), before.text));
  const closed = new AbortController();
  store.add({ dispose: () => closed.abort() });
  followCount(services, picker, store);
  const apply = (): void => choices.setFilter(getFilter(picker));
  store.add(
    picker.onDidChangeValue(() => {
      apply();
      void readOn(services, picker, closed.signal);
    }),
  );
  store.add(picker.onDidChangeSelection(apply));
  picker.show();
  try {
    const isKept = await new Promise<boolean>((resolve) => {
      store.add(picker.onDidAccept(() => resolve(true)));
      store.add(picker.onDidHide(() => resolve(false)));
    });
    choices.setFilter(isKept ? getFilter(picker) : before);
  } finally {
    store.dispose();
  }
}

/** The typed text is part of the filter, so it doesn't hide the choices. */
function makePicker(items: readonly FilterItem[], text: string): FilterPicker {
  const picker = vscode.window.createQuickPick<FilterItem>();
  picker.placeholder = l10n.t('Words in a title, folder, or agent; nothing shows all');
  picker.canSelectMany = true;
  // The view beside it shows what is found.
  picker.ignoreFocusOut = true;
  picker.value = text;
  picker.items = items.map((item) => ({ ...item, alwaysShow: true }));
  picker.selectedItems = picker.items.filter((item) => item.picked);
  return picker;
}

/** Says above the list how many of the sessions that were read match. */
function followCount({ tree }: FilterServices, picker: FilterPicker, store: DisposableStore): void {
  const say = (): void => {
    const { shown, known } = tree.counts;
    picker.title = picker.busy
      ? l10n.t('Filter Sessions: {0} of {1}, reading further ones…', shown, known)
      : l10n.t('Filter Sessions: {0} of {1}', shown, known);
  };
  store.add(tree.onDidChange(say));
  say();
}

/** Reads all pages of the lists that were begun: what the user looks for may be in any of them. */
async function readOn(
  { tree }: FilterServices,
  picker: FilterPicker,
  signal: AbortSignal,
): Promise<void> {
  if (picker.busy || picker.value.trim() === '') {
    return;
  }
  picker.busy = true;
  const begun = tree.lists.filter(({ state }) => state.kind === 'loaded');
  await readAllPages(begun, signal);
  if (!signal.aborted) {
    picker.busy = false;
    const { shown, known } = tree.counts;
    picker.title = l10n.t('Filter Sessions: {0} of {1}', shown, known);
  }
}

function getFilter({ selectedItems, value }: FilterPicker): SessionFilter {
  return {
    states: selectedItems.flatMap(({ state }) => state ?? []),
    agents: selectedItems.flatMap(({ agent }) => agent ?? []),
    text: value.trim().slice(0, maxFilterLength),
  };
}

function getItems({ agents, choices }: FilterServices): readonly FilterItem[] {
  const { filter } = choices;
  const states = filterStates.map((state) => ({
    ...stateItems[state],
    state,
    picked: filter.states.includes(state),
  }));
  return [...states, ...agentItems(agents, filter)];
}

function agentItems({ all }: Pick<Agents, 'all'>, filter: SessionFilter): readonly FilterItem[] {
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
