import type { Session } from '../../../model/session/session';

/** A mode of a session. */
export interface ModeChoice {
  readonly name: string;
  readonly description?: string;
  /** Sets it; absent for the mode that the session is in. */
  readonly set?: () => Promise<void>;
}

type InModes = Pick<Session, 'setMode' | 'setConfigOption'> & {
  readonly facts: Pick<Session['facts'], 'modes' | 'configOptions'>;
};

/** The modes of a session in the agent's order, whichever way the agent offers them (MO-1). */
export function getModeChoices(session: InModes): readonly ModeChoice[] {
  const { modes, configOptions } = session.facts;
  const option = configOptions.find(({ category }) => category === 'mode');
  if (option?.type === 'select') {
    return option.groups
      .flatMap(({ choices }) => choices)
      .map(({ value, ...choice }) => ({
        ...choice,
        ...(value !== option.value && { set: () => session.setConfigOption(option.id, value) }),
      }));
  }
  return (modes?.modes ?? []).map(({ id, ...mode }) => ({
    ...mode,
    ...(id !== modes?.currentModeId && { set: () => session.setMode(id) }),
  }));
}
