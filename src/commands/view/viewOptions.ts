import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Agent, isConfigured } from '../../model/agent';
import { DisposableStore } from '../../util/disposable';
import {
  type Grouping,
  type RowDetail,
  rowDetails,
  type SessionChoices,
  type Sorting,
} from '../../views/sessions/nodes/sessionChoices';

const groupings: readonly (readonly [Grouping, string])[] = [
  ['agent', l10n.t('Agent')],
  ['date', l10n.t('Date')],
  ['folder', l10n.t('Folder')],
  ['state', l10n.t('State')],
  ['own', l10n.t('My Groups')],
  ['none', l10n.t('Nothing')],
];

const sortings: readonly (readonly [Sorting, string])[] = [
  ['time', l10n.t('Time')],
  ['title', l10n.t('Title')],
];

const details: Readonly<Record<RowDetail, string>> = {
  time: l10n.t('Time'),
  changes: l10n.t('Changed Files'),
  folder: l10n.t('Folder or Branch'),
};

/** A line of the list: a heading, or a choice and what it does when it is accepted. */
interface Option {
  readonly label: string;
  /** `undefined`: a heading. */
  readonly isChosen?: boolean;
  choose?(): void | Promise<void>;
}

interface OptionItem extends vscode.QuickPickItem {
  readonly option: Option;
}

/**
 * "View Options…": how the view shows the sessions. Each choice applies at once, and the list stays open until it is
 * closed, as that of "Customize Layout…" does.
 */
export async function showViewOptions(
  agents: { readonly all: readonly Agent[] },
  choices: SessionChoices,
): Promise<void> {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<OptionItem>());
  picker.title = l10n.t('View Options');
  picker.placeholder = l10n.t('Choose how sessions are shown; Esc closes this list');
  picker.keepScrollPosition = true;
  const show = (active = 0): void => {
    picker.items = getOptions(agents.all, choices).map(toItem);
    picker.activeItems = picker.items.slice(active, active + 1);
  };
  show();
  picker.show();
  try {
    await new Promise<void>((resolve) => {
      store.add(
        picker.onDidAccept(async () => {
          const [item] = picker.activeItems;
          const at = item === undefined ? 0 : picker.items.indexOf(item);
          await item?.option.choose?.();
          show(at);
        }),
      );
      store.add(picker.onDidHide(() => resolve()));
    });
  } finally {
    store.dispose();
  }
}

function getOptions(agents: readonly Agent[], choices: SessionChoices): readonly Option[] {
  const { grouping, sorting, scope } = choices;
  const isShared = agents.filter(isConfigured).length > 1;
  return [
    { label: l10n.t('Group by') },
    ...groupings
      .filter(([id]) => id !== 'agent' || isShared)
      .map(([id, label]) => ({
        label,
        isChosen: id === (isShared ? grouping : choices.rowGrouping),
        choose: () => choices.setGrouping(id),
      })),
    { label: l10n.t('Sort by') },
    ...sortings.map(([id, label]) => ({
      label,
      isChosen: id === sorting,
      choose: () => choices.setSorting(id),
    })),
    { label: l10n.t('Show') },
    {
      label: l10n.t('Sessions of All Folders'),
      isChosen: scope === 'all',
      choose: () => choices.setScope(scope === 'all' ? 'workspace' : 'all'),
    },
    {
      label: l10n.t('Archived Sessions'),
      isChosen: choices.showsArchived,
      choose: () => choices.setShowsArchived(!choices.showsArchived),
    },
    {
      label: l10n.t('Hidden Sessions'),
      isChosen: choices.showsHidden,
      choose: () => choices.setShowsHidden(!choices.showsHidden),
    },
    { label: l10n.t('Details') },
    ...rowDetails.map((detail) => ({
      label: details[detail],
      isChosen: choices.details.includes(detail),
      choose: () => choices.setDetails(toggled(choices.details, detail)),
    })),
  ];
}

function toggled<T>(all: readonly T[], item: T): readonly T[] {
  return all.includes(item) ? all.filter((each) => each !== item) : [...all, item];
}

/** The check mark is an icon, which screen readers don't read: the words say it, too. */
function toItem(option: Option): OptionItem {
  const { label, isChosen } = option;
  if (isChosen === undefined) {
    return { label, option, kind: vscode.QuickPickItemKind.Separator };
  }
  return {
    label,
    option,
    ...(isChosen && { description: l10n.t('on') }),
    iconPath: new vscode.ThemeIcon(isChosen ? 'check' : 'blank'),
  };
}
