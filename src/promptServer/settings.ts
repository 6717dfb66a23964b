import * as l10n from '@vscode/l10n';
import type { SessionFacts } from '../shared/prompt/promptProtocol';
import type { Choice } from '../shared/transcript/config';

/** A key that may stand before a prompt. */
export interface Setting {
  readonly key: string;
  readonly title: string;
  readonly description?: string;
  /** Absent: any value. */
  readonly values?: readonly Choice[];
}

/** Its values are those that the client finds. */
export const sessionKey = 'session';

const sessionSetting: Setting = {
  key: sessionKey,
  title: l10n.t('Session'),
  description: l10n.t('The session that the prompt is sent to.'),
};
const switches: readonly Choice[] = [
  { value: 'true', name: l10n.t('On') },
  { value: 'false', name: l10n.t('Off') },
];

/** What can be set before a prompt of the session. */
export function settingsOf(facts: SessionFacts | undefined): readonly Setting[] {
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

/** `mode` is the session's mode, wherever the agent has it, unless an option is called so. */
function modeSetting(facts: SessionFacts, options: readonly Setting[]): Setting | undefined {
  if (options.some(({ key }) => key === 'mode')) {
    return undefined;
  }
  const option = facts.configOptions.find(({ category }) => category === 'mode');
  const values = facts.modes
    ? facts.modes.modes.map(({ id, ...rest }) => ({ value: id, ...rest }))
    : options.find(({ key }) => key === option?.id)?.values;
  return values && { key: 'mode', title: l10n.t('Mode'), values };
}
