import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RegistryAgent } from '../../model/registry/registryAgent';
import { RegistryError } from '../../model/registry/registryError';
import { type AgentUpdate, updateOf } from '../../model/registry/setUpAgents';
import { cleanText } from '../../model/text/titles';
import { commandIds } from '../../platform/ids';
import { openRegistry } from '../../platform/registry';
import { plainMessage, showErrorMessage, showInformationMessage } from '../../platform/ui/messages';
import { isObject } from '../../util/json';
import { plainLabel } from '../../views/plainLabel';
import { mayEndAgent } from '../session/endWork';
import { showArgv } from './argv';
import { factsOf, reachOf, variableLines } from './installAgent';
import { noteNewerVersions, type OwnEntry, ownEntries, type Setup } from './setupServices';

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
  await noteNewerVersions(setup, agents);
  const outdated = ownEntries(setup.settings)
    .filter((own) => id === undefined || own.id === id)
    .flatMap((own): Outdated[] => {
      const update = updateOf(own, agents);
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
    await noteNewerVersions(setup, agents);
  }
}

async function askRegistry(setup: Setup): Promise<readonly RegistryAgent[] | undefined> {
  const { settings, registryStorage, log } = setup;
  const registry = openRegistry(settings, registryStorage, log);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainMessage(l10n.t('Reading the agent registry…')),
    cancellable: true,
  };
  const abort = new AbortController();
  try {
    return await vscode.window.withProgress(options, async (_, token) => {
      token.onCancellationRequested(() => abort.abort());
      return registry.refresh(abort.signal);
    });
  } catch (error) {
    if (error instanceof RegistryError) {
      void report(error);
    } else if (!abort.signal.aborted) {
      throw error;
    }
    return undefined;
  }
}

async function report({ message }: RegistryError): Promise<void> {
  const showLog = l10n.t('Show Log');
  if ((await showErrorMessage(message, showLog)) === showLog) {
    await vscode.commands.executeCommand(commandIds.showAgentLog);
  }
}

async function choose(outdated: readonly Outdated[]): Promise<Outdated | undefined> {
  const items = outdated.map(({ own, update }) => ({
    label: plainLabel(cleanText(own.title, 60)),
    description: plainLabel(`${update.from} → ${update.package.version}`),
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
  if (command === undefined) {
    return;
  }
  const { agents, sessions, settings } = setup;
  const running = agents.get(own.id);
  if (running !== undefined && !(await mayEndAgent(sessions, running, l10n.t('Update')))) {
    return;
  }
  const [program = '', ...args] = command;
  const ownEnv = isObject(own.entry['env']) ? own.entry['env'] : {};
  const env = { ...update.package.env, ...ownEnv };
  await settings.addAgent(own.id, {
    ...own.entry,
    ...{ command: program, args },
    ...(Object.keys(env).length > 0 && { env }),
  });
}

/** Arguments that differ from the registry's may be the user's own, so both commands are offered then. */
async function askForCommand(
  { title, command, args }: OwnEntry,
  update: AgentUpdate,
): Promise<readonly string[] | undefined> {
  const [take, keep] = [l10n.t('Update'), l10n.t('Keep My Arguments')];
  const [before, after, ownAfter] = [
    showArgv([command, ...args]),
    showArgv(update.command),
    showArgv(update.ownCommand),
  ];
  const isSame = after === ownAfter;
  const detail = [
    ...factsOf(update.agent, update.package),
    '',
    l10n.t('Until now, it is started with:\n\n{0}', before),
    '',
    l10n.t('Updated, it is started with:\n\n{0}', after),
    '',
    ...(isSame ? [] : [l10n.t('With your own arguments:\n\n{0}', ownAfter), '']),
    ...variableLines(update.package),
    l10n.t('If it runs, it is restarted.'),
    reachOf(update.package.runner),
  ].join('\n');
  const question = l10n.t(
    'Update {0} from {1} to {2}?',
    ...[cleanText(title, 60), update.from, update.package.version],
  );
  const choices = isSame ? [take] : [take, keep];
  const answer = await showInformationMessage(question, { modal: true, detail }, ...choices);
  if (answer === take) {
    return update.command;
  }
  return answer === keep ? update.ownCommand : undefined;
}
