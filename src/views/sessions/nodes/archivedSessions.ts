import type { Agents } from '../../../model/agents/agents';
import type { Disposable } from '../../../util/disposable';
import type { SessionChoices } from './sessionChoices';

/** Makes agents list archived sessions as soon as the user filters for them. */
export function includeArchived(
  choices: Pick<SessionChoices, 'filter' | 'onDidChange'>,
  agents: Pick<Agents, 'includeArchived'>,
): Disposable {
  const look = (): void => {
    if (choices.filter.states.includes('archived')) {
      agents.includeArchived();
    }
  };
  look();
  return choices.onDidChange(look);
}
