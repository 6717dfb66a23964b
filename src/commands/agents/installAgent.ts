import * as l10n from '@vscode/l10n';
import { commandOf } from '../../model/registry/packageSpec';
import type { RegistryAgent, RegistryPackage, Runner } from '../../model/registry/registryAgent';
import type { AgentEntry } from '../../platform/settings/settings';
import { StoredMap, storedState } from '../../platform/storage/storedState';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { openInBrowser } from '../../platform/ui/openers';
import { showArgv } from './argv';
import { isOnPath } from './localPrograms';
import type { Setup } from './setupServices';

/** The programs that fetch packages: what they are a part of, and where that is. */
const origins: Readonly<Record<Runner, { readonly part: string; readonly page: string }>> = {
  npx: { part: 'Node.js', page: 'https://nodejs.org/en/download' },
  uvx: { part: 'uv', page: 'https://docs.astral.sh/uv/getting-started/installation/' },
};

/**
 * The entry of the settings that installs an agent of the registry with its first start; `undefined` if the user
 * doesn't agree, or if it can't be installed here.
 */
export async function entryOfRegistry(
  agent: RegistryAgent,
  setup: Setup,
): Promise<AgentEntry | undefined> {
  const [first] = agent.packages;
  if (first === undefined) {
    await explainBinary(agent);
    return undefined;
  }
  const found = await firstRunnable(agent.packages);
  if (found === undefined) {
    await explainMissing(agent, first.runner);
    return undefined;
  }
  const [command = '', ...args] = commandOf(found);
  const entry = {
    title: agent.name,
    command,
    args,
    ...(Object.keys(found.env).length > 0 && { env: found.env }),
  };
  const isAgreed = await agreesTo(agent, entry, setup, () => askToAdd(agent, found));
  return isAgreed ? entry : undefined;
}

async function firstRunnable(
  packages: readonly RegistryPackage[],
): Promise<RegistryPackage | undefined> {
  for (const candidate of packages) {
    if (await isOnPath(candidate.runner)) {
      return candidate;
    }
  }
  return undefined;
}

/**
 * Asks, unless the user has agreed to just this before: to the same version, command and variables. Remembers it if
 * the user agrees.
 */
async function agreesTo(
  { id }: RegistryAgent,
  { command, args, env }: Pick<AgentEntry, 'command' | 'args' | 'env'>,
  { registryStorage: { consents } }: Setup,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const agreed = new StoredMap(consents, storedState.registryConsents);
  const exactly = JSON.stringify([command, args, env ?? {}]);
  if (agreed.get(id) === exactly) {
    return true;
  }
  const answer = await ask();
  if (answer) {
    agreed.set(id, exactly);
  }
  return answer;
}

async function askToAdd(agent: RegistryAgent, found: RegistryPackage): Promise<boolean> {
  const add = l10n.t('Add');
  const detail = [
    ...factsOf(agent, found),
    '',
    l10n.t('It is started with:\n\n{0}', showArgv(commandOf(found))),
    '',
    ...variableLines(found),
    reachOf(found.runner),
  ].join('\n');
  const question = l10n.t('Add {0} {1} to your settings?', agent.name, found.version);
  return (await showInformationMessage(question, { modal: true, detail }, add)) === add;
}

/** Who publishes it, where it is from, and under which license. */
export function factsOf(agent: RegistryAgent, found: RegistryPackage): string[] {
  const { name, version, runner } = found;
  const source = `${runner === 'npx' ? 'npm' : 'PyPI'}: ${name} ${version}`;
  const authors = agent.authors.join(', ');
  return [
    l10n.t('Publisher: {0} (according to the registry)', authors === '' ? '–' : authors),
    l10n.t('Source: {0}', source),
    l10n.t('License: {0}', agent.license ?? '–'),
    ...(agent.page === undefined ? [] : [l10n.t('Page: {0}', agent.page)]),
  ];
}

/** The variables that it gets, and those that an entry of the registry can't set. */
export function variableLines({ env, refusedEnv }: RegistryPackage): string[] {
  const set = Object.entries(env).map(([name, value]) => showArgv([`${name}=${value}`]));
  return [
    ...(set.length === 0 ? [] : [l10n.t('With the variables: {0}', set.join(' ')), '']),
    ...(refusedEnv.length === 0
      ? []
      : [l10n.t('Left out, since they could change what runs: {0}', refusedEnv.join(', ')), '']),
  ];
}

/** What the agent can do, in any case. */
export function reachOf(runner: Runner): string {
  return runner === 'npx'
    ? l10n.t(
        'The first start downloads it from the npm registry. It runs with your permissions: it can read and change your files, run programs and use the network. Nobody has checked it for you.',
      )
    : l10n.t(
        'The first start downloads it from PyPI. It runs with your permissions: it can read and change your files, run programs and use the network. Nobody has checked it for you.',
      );
}

async function explainMissing(agent: RegistryAgent, runner: Runner): Promise<void> {
  const { part, page } = origins[runner];
  const open = l10n.t('Get {0}', part);
  const answer = await showWarningMessage(
    l10n.t(
      '{0} needs {1}, which isn’t on the PATH of this machine. It is a part of {2}: install that, then try again.',
      ...[agent.name, runner, part],
    ),
    open,
  );
  if (answer === open) {
    await openInBrowser(page);
  }
}

async function explainBinary({ name, page }: RegistryAgent): Promise<void> {
  const open = l10n.t('Open Page');
  const answer = await showInformationMessage(
    l10n.t(
      '{0} is a program to download, which this extension doesn’t install. Install it as its page says, then add it with Custom Command….',
      name,
    ),
    ...(page === undefined ? [] : [open]),
  );
  if (answer === open && page !== undefined) {
    await openInBrowser(page);
  }
}
