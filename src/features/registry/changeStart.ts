import { homedir } from 'node:os';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { describeFailure } from '../../model/failures/failures';
import type { AgentConfig } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { readAgentSettings } from '../../platform/settings/agentSettings';
import { showInformationMessage } from '../../platform/ui/messages';
import { tellUntrusted } from '../../platform/ui/trust';
import { isObject, type JsonObject } from '../../util/json';
import { probe } from '../diagnosis/model/probe';
import { PreviousStarts } from './previousStarts';
import { cancelable, tellTrouble } from './registryTrouble';
import { type OwnEntry, ownEntries, type Setup } from './setupServices';

/** How an agent is to be started from now on. */
export interface NewStart {
  readonly command: readonly string[];
  /** Variables of the new version; those of the user's entry count more. */
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Whether an agent may be started to be tried; explains it to the user otherwise. */
export async function mayTry({ workspace }: Setup, title: string): Promise<boolean> {
  if (workspace.trusted) {
    return true;
  }
  await tellUntrusted(
    l10n.t(
      'Another version of {0} is started to see that it works, and agents start only in a workspace that you trust.',
      cleanText(title, 60),
    ),
  );
  return false;
}

/**
 * Changes how an agent of the user's settings is started, once it has started and initialized in that way in a process
 * of its own. Otherwise the settings stay as they are, and the user is told why. `true` if they were changed; sessions
 * that work then keep their process until they are done.
 */
export async function changeStart(own: OwnEntry, start: NewStart, setup: Setup): Promise<boolean> {
  const entry = entryWith(own, start);
  const title = cleanText(own.title, 60);
  if (!(await startsUp(own.id, entry, start.version, setup, title))) {
    return false;
  }
  const { agents, sessions, settings, registryStorage } = setup;
  const now = ownEntries(settings).find(({ id }) => id === own.id);
  if (!isDeepStrictEqual(now?.entry, own.entry)) {
    tellTrouble(
      l10n.t(
        'The entry of {0} in the settings was changed meanwhile, so it stays as it is.',
        title,
      ),
    );
    return false;
  }
  await new PreviousStarts(registryStorage).set(own.id, own);
  await settings.addAgent(own.id, entry);
  if (sessions.all.some(({ agent, isBusy }) => isBusy && agent === agents.get(own.id))) {
    void showInformationMessage(
      l10n.t('{0} {1} starts once {0} has finished its work in this window.', title, start.version),
    );
  }
  return true;
}

function entryWith({ entry }: OwnEntry, { command, env }: NewStart) {
  const [program = '', ...args] = command;
  const ownEnv = isObject(entry['env']) ? entry['env'] : {};
  const all = { ...env, ...ownEnv };
  return { ...entry, command: program, args, ...(Object.keys(all).length > 0 && { env: all }) };
}

async function startsUp(
  id: string,
  entry: JsonObject,
  version: string,
  setup: Setup,
  title: string,
): Promise<boolean> {
  const config = findConfig(id, entry, setup);
  if (config === undefined) {
    tellTrouble(
      l10n.t('The entry of {0} in the settings can’t be used, so it stays as it is.', title),
    );
    return false;
  }
  const tried = await cancelable(
    l10n.t('Starting {0} {1} to see that it works', title, version),
    async (signal) => ({ error: await probe(config, setup.connect, signal) }),
  );
  if (tried?.error === undefined) {
    return tried !== undefined;
  }
  const failure = describeFailure(tried.error, `${title} ${version}`);
  setup.log.warn(`${id} isn't changed to ${version}: ${tried.error.message}`);
  tellTrouble(
    l10n.t(
      '{0} {1} couldn’t be started, so {0} stays as it was. {2}. {3}',
      ...[title, version, failure.title, failure.detail],
    ),
  );
  return false;
}

/** The agent's configuration, as the settings would have it. */
function findConfig(
  id: string,
  entry: JsonObject,
  { workspace, settings }: Setup,
): AgentConfig | undefined {
  const { agents } = readAgentSettings(
    { [id]: { ...entry, enabled: true } },
    {
      workspaceFolder: workspace.folders[0]?.path,
      userHome: homedir(),
      env: process.env,
    },
    { command: '', args: [], env: {} },
    settings,
  );
  return agents[0];
}
