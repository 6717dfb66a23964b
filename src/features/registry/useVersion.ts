import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showArgv } from '../../commands/agents/argv';
import type { StartCommand } from '../../model/agents/registryFacts';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { plainLabel } from '../../views/plainLabel';
import { changeStart, mayTry, type NewStart } from './changeStart';
import { chooseOwn } from './chooseOwn';
import { installedAgents } from './installBinary';
import { installedRunBy } from './model/binary/installedVersion';
import { versionIn } from './model/setUpAgents';
import { installPlace, openRegistry } from './openRegistry';
import { PreviousStarts } from './previousStarts';
import { noteFacts, type OwnEntry, type Setup } from './setupServices';

interface VersionItem extends vscode.QuickPickItem {
  readonly start: NewStart;
}

/** "Use Version…": one that is installed, or the one that the settings had before. */
export async function useVersion(setup: Setup, id: string | undefined): Promise<void> {
  const own = await chooseOwn(setup, id, l10n.t('Use Version'));
  if (own === undefined) {
    return;
  }
  const title = cleanText(own.title, 60);
  const items = await getVersions(own, setup);
  if (items.length === 0) {
    void showInformationMessage(
      l10n.t(
        'There is no other version of {0} here: versions stay once they were installed by Add Agent… or replaced by Update Agent….',
        title,
      ),
    );
    return;
  }
  const now = versionIn(own, installPlace(setup.registryStorage));
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Use Version'),
    placeHolder:
      now === undefined ? l10n.t('Choose a version of {0}', title) : l10n.t('Instead of {0}', now),
  });
  if (chosen !== undefined && (await mayTry(setup, own.title))) {
    await changeStart(own, chosen.start, setup);
    // The version may be an older one.
    const { registryStorage, log } = setup;
    await noteFacts(setup, await openRegistry(registryStorage, log).known());
  }
}

async function getVersions(own: OwnEntry, setup: Setup): Promise<VersionItem[]> {
  const place = installPlace(setup.registryStorage);
  const previous = await new PreviousStarts(setup.registryStorage).of(own.id);
  const items = await installedVersions(own, setup);
  const isListed = items.some(({ start }) => start.command[0] === previous?.command);
  const isGone =
    previous !== undefined && installedRunBy(previous.command, place.folder) !== undefined;
  if (previous === undefined || isListed || isGone || isSame(previous, own)) {
    return items;
  }
  const version = versionIn(previous, place) ?? l10n.t('Previous Command');
  return [
    ...items,
    toItem(version, l10n.t('before the last change'), [previous.command, ...previous.args], {}),
  ];
}

/** The installed versions of a program; arguments that the user has changed stay. */
async function installedVersions(own: OwnEntry, setup: Setup): Promise<VersionItem[]> {
  const { folder } = installPlace(setup.registryStorage);
  const run = installedRunBy(own.command, folder);
  const versions = run === undefined ? [] : await installedAgents(setup).versions(run.id);
  const current = versions.find(({ name }) => name === run?.name);
  const isOwn = current !== undefined && !isDeepStrictEqual(current.binary.args, own.args);
  return versions
    .filter((version) => version !== current)
    .map(({ binary, command: [program = '', ...args] }) =>
      toItem(
        binary.version,
        l10n.t('installed'),
        [program, ...(isOwn ? own.args : args)],
        binary.env,
      ),
    );
}

function toItem(
  version: string,
  description: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): VersionItem {
  return {
    label: plainLabel(version),
    description,
    detail: plainLabel(showArgv(command)),
    start: { command, env, version },
  };
}

function isSame(one: StartCommand, other: StartCommand): boolean {
  return one.command === other.command && isDeepStrictEqual(one.args, other.args);
}
