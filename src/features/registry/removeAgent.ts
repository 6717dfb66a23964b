import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mayEndAgent } from '../../commands/agents/endWork';
import { cleanText } from '../../model/text/titles';
import { settingKeys, settingsSection } from '../../platform/ids';
import { showWarningMessage } from '../../platform/ui/messages';
import { chooseOwn } from './chooseOwn';
import { installedAgents } from './installBinary';
import type { InstalledVersion } from './model/binary/installedVersion';
import { installedRunBy } from './model/binary/installedVersion';
import { findRunner } from './model/setUpAgents';
import { installPlace } from './openRegistry';
import { PreviousStarts } from './previousStarts';
import { cancelable } from './registryTrouble';
import { type OwnEntry, ownEntries, type Setup } from './setupServices';

/** "Remove Agent…": takes an agent out of the user's settings, and deletes its installed versions on request. */
export async function removeAgent(setup: Setup, id: string | undefined): Promise<void> {
  const own = await chooseOwn(setup, id, l10n.t('Remove Agent'));
  if (own === undefined) {
    return;
  }
  const versions = await unsharedVersions(own, setup);
  const [remove, removeAll] = [l10n.t('Remove'), l10n.t('Remove and Delete Program')];
  const title = cleanText(own.title, 60);
  const answer = await showWarningMessage(
    l10n.t('Remove {0} from your settings?', title),
    { modal: true, detail: getDetail(own, versions, setup) },
    ...(versions.length === 0 ? [remove] : [remove, removeAll]),
  );
  const { agents, sessions, registryStorage } = setup;
  const running = agents.get(own.id);
  if (
    answer === undefined ||
    (running !== undefined && !(await mayEndAgent(sessions, running, l10n.t('Remove'))))
  ) {
    return;
  }
  if (running !== undefined) {
    // Nothing runs from its folder then, at least in this window.
    await running.stop();
    await setup.signIn.forgetKeys(running);
  }
  await removeEntry(own.id, setup);
  await new PreviousStarts(registryStorage).remove(own.id);
  if (answer === removeAll) {
    await deleteVersions(title, versions, setup);
  }
}

/** The agent's installed versions, unless another entry runs the same program. */
async function unsharedVersions(own: OwnEntry, setup: Setup): Promise<readonly InstalledVersion[]> {
  const { folder } = installPlace(setup.registryStorage);
  const findId = ({ command }: OwnEntry): string | undefined => installedRunBy(command, folder)?.id;
  const id = findId(own);
  const isShared = ownEntries(setup.settings).some(
    (other) => other.id !== own.id && findId(other) === id,
  );
  return id === undefined || isShared ? [] : installedAgents(setup).versions(id);
}

function getDetail(
  own: OwnEntry,
  versions: readonly InstalledVersion[],
  { registryStorage }: Setup,
): string {
  const names = versions.map(({ binary }) => binary.version).join(', ');
  return [
    l10n.t(
      'Its entry is taken out of your settings, and it ends if it runs. Keys and tokens that you entered for it are forgotten.',
    ),
    ...(versions.length === 0
      ? []
      : [
          '',
          l10n.t(
            'Its program is installed in {0}: {1}',
            `${registryStorage.agents}/${versions[0]?.id ?? ''}`,
            names,
          ),
        ]),
    '',
    l10n.t(
      'Sessions that you opened stay readable here, below its row in the view, until you clear the cached transcripts with Clear Stored Data….',
    ),
    '',
    own.url !== undefined
      ? l10n.t('What it leaves behind: its sessions on the machine that it runs on.')
      : findRunner(own.command) !== undefined
        ? l10n.t(
            'What it leaves behind: the package in the cache of npx or uvx, and its sessions, settings and sign-in, which the agent itself keeps where it always does.',
          )
        : l10n.t(
            'What it leaves behind: its sessions, settings and sign-in, which the agent itself keeps where it always does.',
          ),
  ].join('\n');
}

async function removeEntry(id: string, { settings }: Setup): Promise<void> {
  const rest = Object.entries(settings.userAgents).filter(([other]) => other !== id);
  await vscode.workspace
    .getConfiguration(settingsSection)
    .update(
      settingKeys.agents,
      rest.length === 0 ? undefined : Object.fromEntries(rest),
      vscode.ConfigurationTarget.Global,
    );
}

async function deleteVersions(
  title: string,
  versions: readonly InstalledVersion[],
  setup: Setup,
): Promise<void> {
  const kept = await cancelable(l10n.t('Deleting {0}', title), async (signal) => {
    const installed = installedAgents(setup);
    const inUse: string[] = [];
    for (const version of versions) {
      if (!(await installed.remove(version, signal))) {
        inUse.push(version.binary.version);
      }
    }
    return inUse;
  });
  if (kept !== undefined && kept.length > 0) {
    void showWarningMessage(
      l10n.t(
        '{0} still runs, maybe in another window, so this was not deleted: {1} in {2}',
        ...[title, kept.join(', '), setup.registryStorage.agents],
      ),
    );
  }
}
