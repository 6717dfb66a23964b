import * as l10n from '@vscode/l10n';
import type { OptionValues, SessionSetup } from '../../protocol/agentConnection';
import type { ConfigOption } from '../../shared/transcript/config';
import type { SessionDefaults } from '../ports';
import { isOffered, optionFor } from './defaults';
import { SessionFacts } from './sessionFacts';

/** What a new session is to begin with, if that was chosen before it exists (T-140). */
export interface Beginning {
  /** Values that go with the request. */
  readonly sent: OptionValues;
  /** What it should have then: whatever the agent hasn't taken is set, or said to be missing. */
  readonly wanted: SessionDefaults;
}

/** The options that an agent has told before a session exists. */
export class FirstOptions {
  /** All that can be set, with the values that a session would begin with. */
  readonly #told: readonly ConfigOption[];
  /** The ids of those that can be sent with the request. */
  readonly #sendable: ReadonlySet<string>;

  constructor(setup: SessionSetup) {
    const facts = new SessionFacts(() => undefined);
    facts.takeSetup(setup);
    const { configOptions, modes } = facts;
    const own = configOptions.filter(({ id }) => !facts.isOlderModel(id));
    this.#sendable = new Set(own.map(({ id }) => id));
    const mode: readonly ConfigOption[] =
      modes === undefined
        ? []
        : [
            {
              ...{ id: 'mode', category: 'mode', name: l10n.t('Mode'), type: 'select' },
              value: modes.currentModeId,
              groups: [{ choices: modes.modes.map(({ id, ...mode }) => ({ value: id, ...mode })) }],
            },
          ];
    this.#told = [...mode, ...configOptions];
  }

  /** The options that have more than one value, with these as far as they are offered; the last of an option counts. */
  withValues(...all: readonly OptionValues[]): readonly ConfigOption[] {
    const options = new Map(this.#told.map((option) => [option.id, option]));
    for (const [key, value] of all.flatMap((values) => Object.entries(values))) {
      const option = optionFor([...options.values()], key);
      if (option !== undefined && isOffered(option, value)) {
        options.set(option.id, { ...option, value } as ConfigOption);
      }
    }
    return [...options.values()].filter(hasChoice);
  }

  /** What differs from the values of these options, which `withValues` has given. */
  changes(chosen: readonly ConfigOption[], from: readonly ConfigOption[]): OptionValues {
    const before = new Map(from.map(({ id, value }) => [id, value]));
    return Object.fromEntries(
      chosen.flatMap(({ id, value }) => (before.get(id) === value ? [] : [[id, value]])),
    );
  }

  /** `defaults` of options that weren't told may be some that only come with the session. */
  beginWith(chosen: readonly ConfigOption[], defaults: SessionDefaults): Beginning {
    const values = this.changes(chosen, this.#told);
    const sent = Object.entries(values).filter(([id]) => this.#sendable.has(id));
    const others = Object.entries(defaults).filter(
      ([key]) => optionFor(this.#told, key) === undefined,
    );
    return {
      sent: Object.fromEntries(sent),
      wanted: { ...Object.fromEntries(others), ...values },
    };
  }
}

function hasChoice(option: ConfigOption): boolean {
  return (
    option.type === 'boolean' ||
    option.groups.reduce((count, { choices }) => count + choices.length, 0) > 1
  );
}
