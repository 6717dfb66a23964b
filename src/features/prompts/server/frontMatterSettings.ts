import * as l10n from '@vscode/l10n';
import type { PromptFacts } from '../../../shared/prompt/promptProtocol';
import type { Choice } from '../../../shared/transcript/config';

/** A key that can be set in a prompt's front matter. */
export interface FrontMatterSetting {
  readonly key: string;
  readonly title: string;
  readonly description?: string;
  /** `undefined`: any value is allowed. */
  readonly values?: readonly Choice[];
}

/** The values of this key are found by the client. */
export const sessionSettingKey = 'session';

const sessionSetting: FrontMatterSetting = {
  key: sessionSettingKey,
  title: l10n.t('Session'),
  description: l10n.t('The session that the prompt is sent to.'),
};
const switches: readonly Choice[] = [
  { value: 'true', name: l10n.t('On') },
  { value: 'false', name: l10n.t('Off') },
];

/** The settings available in a prompt of the session. */
export function getSettings(facts: PromptFacts | undefined): readonly FrontMatterSetting[] {
  if (facts === undefined) {
    return [sessionSetting];
  }
  const options = facts.configOptions.map((option) => ({
    key: option.id,
    title: option.name,
    ...(option.description !== undefined && { description: option.description }),
    values: option.type === 'boolean' ? switches : option.groups.flatMap(({ choices }) => choices),
  }));
  const mode = modeSetting(facts, options);
  return mode ? [sessionSetting, mode, ...options] : [sessionSetting, ...options];
}

/**
 * `mode` sets the session's mode, whether the agent offers modes or a mode option, unless an option
 * has the id `mode`.
 */
function modeSetting(
  facts: PromptFacts,
  options: readonly FrontMatterSetting[],
): FrontMatterSetting | undefined {
  if (options.some(({ key }) => key === 'mode')) {
    return undefined;
  }
  const option = facts.configOptions.find(({ category }) => category === 'mode');
  const values = facts.modes
    ? facts.modes.modes.map(({ id, ...rest }) => ({ value: id, ...rest }))
    : options.find(({ key }) => key === option?.id)?.values;
  return values && { key: 'mode', title: l10n.t('Mode'), values };
}
