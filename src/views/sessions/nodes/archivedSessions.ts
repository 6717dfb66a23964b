import type { Agents } from '../../../model/agents/agents';
import type { Disposable } from '../../../util/disposable';
import type { SessionChoices } from './sessionChoices';

/** Makes agents list archived sessions as soon as the user wants to see them. */
export function includeArchived(
  choices: Pick<SessionChoices, 'filter' | 'showsArchived' | 'onDidChange'>,
  agents: Pick<Agents, 'includeArchived'>,
): Disposable {
  const look = (): void => {
    if (choices.showsArchived || choices.filter.states.includes('archived')) {
      agents.includeArchived();
    }
  };
  look();
  return choices.onDidChange(look);
}
