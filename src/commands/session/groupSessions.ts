import * as l10n from '@vscode/l10n';
import { showInformationMessage } from '../../platform/ui/messages';
import { getRef } from '../../shared/sessionRef';
import type { SessionChoices } from '../../views/sessions/nodes/sessionChoices';
import { chosenTargets, type RowServices } from './chosenTargets';
import { askGroup } from './groupDialogs';

/** What changing the groups of sessions takes. */
interface GroupingServices extends RowServices {
  readonly choices: Pick<SessionChoices, 'grouping' | 'setGrouping'>;
}

/** "Add to Group…": puts all chosen sessions at the end of a group, which may be a new one. */
export async function addToGroup(
  services: GroupingServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const { groups, choices } = services;
  const targets = await chosenTargets(services, argument, selection);
  if (targets.length === 0) {
    return;
  }
  const id = await askGroup(groups, l10n.t('Add to Group'));
  if (id === undefined) {
    return;
  }
  await groups.put(targets.map(getRef), id);
  const group = groups.find(id);
  if (group !== undefined && choices.grouping !== 'own') {
    void offerGroups(choices, l10n.t('Added to “{0}”.', group.name));
  }
}

/** "Remove from Group": the chosen sessions are in no group then. */
export async function removeFromGroup(
  services: RowServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = await chosenTargets(services, argument, selection);
  await services.groups.take(targets.map(getRef));
}

/** In other groupings, groups show in tooltips only. */
async function offerGroups(choices: GroupingServices['choices'], said: string): Promise<void> {
  const show = l10n.t('Show My Groups');
  if ((await showInformationMessage(said, show)) === show) {
    await choices.setGrouping('own');
  }
}
