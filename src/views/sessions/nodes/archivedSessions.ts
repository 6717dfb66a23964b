import type { Agents } from '../../../model/agents/agents';
import type { Disposable } from '../../../util/disposable';
import type { SessionChoices } from './choices';

/** Has agents list what they have archived as soon as a person filters for it. */
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
