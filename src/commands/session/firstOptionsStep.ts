import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { titleAbout } from '../../model/agents/whose';
import type { KeyedStorage, SessionDefaults } from '../../model/ports';
import type { Beginning, FirstOptions } from '../../model/session/firstOptions';
import { cleanText } from '../../model/text/titles';
import { StoredMap, storedState } from '../../platform/storage/storedState';
import type { ConfigOption } from '../../shared/transcript/config';
import { plainLabel } from '../../views/plainLabel';

type Row = vscode.QuickPickItem & { readonly option?: ConfigOption };

/**
 * The step of "New Session" in which the user chooses model, mode and other options before the session exists, for
 * agents that tell them (T-140). What was chosen last in this workspace is there again.
 */
export class FirstOptionsStep {
  readonly #last: StoredMap<SessionDefaults>;
  /** Settles when no list is shown: two agents may answer at once, and the second list would close the first. */
  #shown: Promise<unknown> = Promise.resolve();

  constructor(state: KeyedStorage) {
    this.#last = new StoredMap(state, storedState.firstOptions);
  }

  /**
   * What a session of an agent that tells its options is to begin with. Without them (`undefined`: not in time), that is
   * what was chosen last. Rejects if the user cancels.
   */
  async ask(
    agent: Agent,
    told: FirstOptions | undefined,
    defaults: SessionDefaults,
  ): Promise<Beginning> {
    const last = this.#last.get(agent.id) ?? {};
    if (told === undefined) {
      return { sent: {}, wanted: { ...defaults, ...last } };
    }
    const options = told.withValues(defaults, last);
    const chosen = options.length === 0 ? [] : await this.#inTurn(() => choose(agent, options));
    this.#last.set(agent.id, toRemember(told, chosen, told.withValues(defaults)));
    return told.beginWith(chosen, defaults);
  }

  async #inTurn<T>(show: () => Promise<T>): Promise<T> {
    const shown = this.#shown.then(show);
    this.#shown = shown.catch(() => undefined);
    return shown;
  }
}

/** Enter at once begins the session; each row below changes one option. */
async function choose(
  agent: Agent,
  told: readonly ConfigOption[],
): Promise<readonly ConfigOption[]> {
  let options = told;
  for (;;) {
    const begin: Row = { label: l10n.t('Begin Session'), iconPath: new vscode.ThemeIcon('play') };
    const rows: readonly Row[] = [
      begin,
      ...options.map((option) => ({
        label: plainLabel(option.name),
        description: plainLabel(valueName(option)),
        option,
      })),
    ];
    const row = await vscode.window.showQuickPick(rows, {
      title: titleAbout(l10n.t('New Session'), agent),
      placeHolder: l10n.t('Press Enter to begin, or choose an option to change it'),
    });
    if (row === undefined) {
      throw new vscode.CancellationError();
    }
    if (row.option === undefined) {
      return options;
    }
    const changed = await change(row.option);
    options = options.map((option) => (option.id === changed.id ? changed : option));
  }
}

/** The option with another value, or as it is if the user closes the list. */
async function change(option: ConfigOption): Promise<ConfigOption> {
  if (option.type === 'boolean') {
    return { ...option, value: !option.value };
  }
  const rows = option.groups.flatMap(({ name, choices }) => [
    ...(name === undefined
      ? []
      : [{ label: plainLabel(name), kind: vscode.QuickPickItemKind.Separator }]),
    ...choices.map(({ value, name: label, description = '' }) => ({
      label: plainLabel(label),
      detail: plainLabel(cleanText(description, 300)),
      ...(value === option.value && { iconPath: new vscode.ThemeIcon('check') }),
      value,
    })),
  ]);
  const row = await vscode.window.showQuickPick<vscode.QuickPickItem & { value?: string }>(rows, {
    title: cleanText(option.name, 120),
    matchOnDetail: true,
  });
  return { ...option, value: row?.value ?? option.value };
}

function valueName(option: ConfigOption): string {
  if (option.type === 'boolean') {
    return option.value ? l10n.t('On') : l10n.t('Off');
  }
  const choices = option.groups.flatMap((group) => group.choices);
  return choices.find(({ value }) => value === option.value)?.name ?? option.value;
}

/** `undefined` if everything is as it would be anyway. */
function toRemember(
  told: FirstOptions,
  chosen: readonly ConfigOption[],
  base: readonly ConfigOption[],
): SessionDefaults | undefined {
  const values = told.changes(chosen, base);
  return Object.keys(values).length === 0 ? undefined : values;
}
