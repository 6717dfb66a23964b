import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showArgv } from '../../commands/agents/argv';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { plainLabel } from '../../views/plainLabel';
import { changeStart, mayTry } from './changeStart';
import { describeReach, downloadButton, getFacts, variableLines } from './installAgent';
import { getVerification, installBinary, installedAgents } from './installBinary';
import { installedRunBy } from './model/binary/installedVersion';
import type { RegistryAgent, RegistryBinary } from './model/registryAgent';
import { type AgentUpdate, findUpdate, isBinary } from './model/setUpAgents';
import { installPlace, openRegistry } from './openRegistry';
import { cancelable } from './registryTrouble';
import { noteFacts, type OwnEntry, ownEntries, type Setup } from './setupServices';

/** An entry of the user, and what the registry has for it. */
interface Outdated {
  readonly own: OwnEntry;
  readonly update: AgentUpdate;
}

/** "Update Agent…": of this agent or of one that the user chooses; shows what changes, and asks. */
export async function updateAgent(setup: Setup, id: string | undefined): Promise<void> {
  const agents = await askRegistry(setup);
  if (agents === undefined) {
    return;
  }
  await noteFacts(setup, agents);
  const place = installPlace(setup.registryStorage);
  const outdated = ownEntries(setup.settings)
    .filter((own) => id === undefined || own.id === id)
    .flatMap((own): Outdated[] => {
      const update = findUpdate(own, agents, place);
      return update === undefined ? [] : [{ own, update }];
    });
  if (outdated.length === 0) {
    void showInformationMessage(
      id === undefined
        ? l10n.t('The registry has no newer version of any agent in your settings.')
        : l10n.t('The registry has no newer version of this agent for your settings.'),
    );
    return;
  }
  const chosen = await choose(outdated);
  if (chosen !== undefined) {
    await perform(chosen, setup);
    await noteFacts(setup, agents);
  }
}

async function askRegistry(setup: Setup): Promise<readonly RegistryAgent[] | undefined> {
  const { registryStorage, log } = setup;
  const registry = openRegistry(registryStorage, log);
  return cancelable(l10n.t('Reading the agent registry…'), (signal) => registry.refresh(signal));
}

async function choose(outdated: readonly Outdated[]): Promise<Outdated | undefined> {
  const items = outdated.map(({ own, update }) => ({
    label: plainLabel(cleanText(own.title, 60)),
    description: plainLabel(`${update.from} → ${update.way.version}`),
    outdated: { own, update },
  }));
  if (items.length === 1) {
    return items[0]?.outdated;
  }
  const title = l10n.t('Update Agent');
  return (await vscode.window.showQuickPick(items, { title }))?.outdated;
}

async function perform({ own, update }: Outdated, setup: Setup): Promise<void> {
  const command = await askForCommand(own, update);
  if (command === undefined || !(await mayTry(setup, own.title))) {
    return;
  }
  const { way, agent } = update;
  const { version, env } = way;
  const start = { command, env, version };
  if (isBinary(way)) {
    await performBinary(own, agent, way, setup, () => changeStart(own, start, setup));
  } else {
    await changeStart(own, start, setup);
  }
}

/** The new version is installed beside the old one, and is removed again if it doesn't start. */
async function performBinary(
  own: OwnEntry,
  agent: RegistryAgent,
  binary: RegistryBinary,
  setup: Setup,
  change: () => Promise<boolean>,
): Promise<void> {
  const installed = installedAgents(setup);
  const before = await installed.versions(agent.id);
  const added = await installBinary(agent, binary, setup);
  if (added === undefined) {
    return;
  }
  const isChanged = await change();
  const { folder } = installPlace(setup.registryStorage);
  // What is before the last version isn't missed; what any entry names stays.
  const kept = [own, ...ownEntries(setup.settings)].flatMap(
    ({ command }) => installedRunBy(command, folder) ?? [],
  );
  const isNew = !before.some(({ name }) => name === added.name);
  const unneeded = isChanged ? before : isNew ? [added] : [];
  const { signal } = new AbortController();
  for (const { id, name } of unneeded) {
    if (!kept.some((each) => each.id === id && each.name === name)) {
      await installed.remove({ id, name }, signal);
    }
  }
}

/** Arguments that differ from the registry's may be the user's own, so both commands are offered then. */
async function askForCommand(
  { title, command, args }: OwnEntry,
  update: AgentUpdate,
): Promise<readonly string[] | undefined> {
  const { way } = update;
  const take = isBinary(way) ? downloadButton(way, l10n.t('Update')) : l10n.t('Update');
  const keep = l10n.t('Keep My Arguments');
  const [before, after, ownAfter] = [
    showArgv([command, ...args]),
    showArgv(update.command),
    showArgv(update.ownCommand),
  ];
  const isSame = after === ownAfter;
  const detail = [
    ...getFacts(update.agent, way),
    ...(isBinary(way) ? [getVerification(way)] : []),
    '',
    l10n.t('Until now, it is started with:\n\n{0}', before),
    '',
    l10n.t('Updated, it is started with:\n\n{0}', after),
    '',
    ...(isSame ? [] : [l10n.t('With your own arguments:\n\n{0}', ownAfter), '']),
    ...variableLines(way),
    l10n.t(
      'The new version is started once to see that it works. Only then are the settings changed, and the agent restarted if it runs.',
    ),
    '',
    describeReach(way),
  ].join('\n');
  const question = l10n.t(
    'Update {0} from {1} to {2}?',
    ...[cleanText(title, 60), update.from, way.version],
  );
  const choices = isSame ? [take] : [take, keep];
  const answer = await showInformationMessage(question, { modal: true, detail }, ...choices);
  if (answer === take) {
    return update.command;
  }
  return answer === keep ? update.ownCommand : undefined;
}
