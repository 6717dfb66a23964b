import type { ChoiceGroup, ConfigOption, SessionModes } from '../../../shared/transcript/config';

/** Lists with more choices than this get a filter. */
const filterFrom = 10;

/** The agent's order (CF-2), with the model's options right after the first model option (CF-5). */
export function inOrder(options: readonly ConfigOption[]): readonly ConfigOption[] {
  const model = options.find(({ category }) => category === 'model');
  if (!model) {
    return options;
  }
  const ofModel = options.filter(({ category }) => category === 'model_config');
  return options
    .filter(({ category }) => category !== 'model_config')
    .flatMap((option) => (option === model ? [option, ...ofModel] : [option]));
}

/** Modes as the choices of a single picker (MO-2). */
export function getChoices({ modes }: SessionModes): readonly ChoiceGroup[] {
  return [
    {
      choices: modes.map(({ id, name, description }) => ({
        value: id,
        name,
        ...(description && { description }),
      })),
    },
  ];
}

/** The current value's name; a value that isn't among the choices is shown as is (MO-4). */
export function getChoiceName(groups: readonly ChoiceGroup[], value: string): string {
  const choice = groups.flatMap(({ choices }) => choices).find((other) => other.value === value);
  return choice?.name ?? value;
}

/**
 * `name: value`. Some agents repeat the name in each value ("Thinking: medium"); then it isn't
 * prefixed again.
 */
export function namedValue(name: string, value: string): string {
  const [start, rest] = [value.slice(0, name.length), value.slice(name.length)];
  const isRepeated =
    start.toLowerCase() === name.toLowerCase() && /^(?:[^\p{L}\p{N}]|$)/u.test(rest);
  return isRepeated ? value : `${name}: ${value}`;
}

export function needsFilter(groups: readonly ChoiceGroup[]): boolean {
  return groups.reduce((sum, { choices }) => sum + choices.length, 0) > filterFrom;
}

/** The choices that contain every word of the query; empty groups are dropped. */
export function filtered(groups: readonly ChoiceGroup[], query: string): readonly ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter(({ name, value, description = '' }) => {
        const text = `${group.name ?? ''}\n${name}\n${value}\n${description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ choices }) => choices.length > 0);
}
