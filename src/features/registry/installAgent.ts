import process from 'node:process';
import * as l10n from '@vscode/l10n';
import { showArgv } from '../../commands/agents/argv';
import { openInBrowser } from '../../platform/openers';
import type { AgentEntry } from '../../platform/settings/settings';
import { Consents } from '../../platform/storage/consents';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { getVerification, installBinary } from './installBinary';
import { isOnPath } from './localPrograms';
import { getCommand } from './model/packageSpec';
import type { RegistryAgent, RegistryBinary, RegistryPackage, Runner } from './model/registryAgent';
import { commandOfWay, isBinary, type Way } from './model/setUpAgents';
import { installPlace } from './openRegistry';
import type { Setup } from './setupServices';

/** The programs that fetch packages: what they are a part of, and where that is. */
const origins: Readonly<Record<Runner, { readonly part: string; readonly page: string }>> = {
  npx: { part: 'Node.js', page: 'https://nodejs.org/en/download' },
  uvx: { part: 'uv', page: 'https://docs.astral.sh/uv/getting-started/installation/' },
};

/**
 * The entry of the settings for an agent of the registry: of a package, which its first start fetches, or of a program,
 * which is downloaded here. `undefined` if the user doesn't agree, or if it can't be installed.
 */
export async function entryOfRegistry(
  agent: RegistryAgent,
  setup: Setup,
): Promise<AgentEntry | undefined> {
  const { target } = installPlace(setup.registryStorage);
  const binary = target && agent.binaries[target];
  const found = await firstRunnable(agent.packages);
  if (found !== undefined) {
    const entry = getEntry(agent, getCommand(found), found.env);
    const what = [entry.command, entry.args, found.env];
    const answer = await agreesTo(agent, setup, what, binary !== undefined, () =>
      askToAdd(agent, found, binary),
    );
    if (answer !== 'download') {
      return answer === 'add' ? entry : undefined;
    }
  }
  if (binary !== undefined) {
    return entryOfBinary(agent, binary, setup);
  }
  const [first] = agent.packages;
  await (first === undefined ? explainNoProgram(agent) : explainMissing(agent, first.runner));
  return undefined;
}

async function entryOfBinary(
  agent: RegistryAgent,
  binary: RegistryBinary,
  setup: Setup,
): Promise<AgentEntry | undefined> {
  const command = commandOfWay(agent, binary, installPlace(setup.registryStorage));
  const { sha256, archive, cmd, args, env } = binary;
  const what = [sha256, archive, cmd, args, env];
  const answer = await agreesTo(agent, setup, what, sha256 === undefined, () =>
    askToDownload(agent, binary, command),
  );
  const installed = answer === 'add' ? await installBinary(agent, binary, setup) : undefined;
  return installed && getEntry(agent, installed.command, installed.binary.env);
}

function getEntry(
  { name }: RegistryAgent,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): AgentEntry {
  return { title: name, command, args, ...(Object.keys(env).length > 0 && { env }) };
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

/** What the user has chosen: the package, or the program instead. */
type AddAnswer = 'add' | 'download' | undefined;

/**
 * Asks the user, unless exactly this was agreed to before. `mustAsk` where a choice goes with the question, or where
 * the same words may stand for another program each time.
 */
async function agreesTo(
  { id }: RegistryAgent,
  { registryStorage: { consents } }: Setup,
  what: readonly unknown[],
  mustAsk: boolean,
  ask: () => Promise<AddAnswer>,
): Promise<AddAnswer> {
  const agreed = new Consents(consents);
  const exactly = JSON.stringify(what);
  if (!mustAsk && (await agreed.get(id)) === exactly) {
    return 'add';
  }
  const answer = await ask();
  if (answer === 'add') {
    await agreed.set(id, exactly);
  }
  return answer;
}

async function askToAdd(
  agent: RegistryAgent,
  found: RegistryPackage,
  other: RegistryBinary | undefined,
): Promise<AddAnswer> {
  const [add, download] = [l10n.t('Add'), l10n.t('Download Program Instead…')];
  const detail = [
    ...getFacts(agent, found),
    '',
    l10n.t('It is started with:\n\n{0}', showArgv(getCommand(found))),
    '',
    ...variableLines(found),
    describeReach(found),
    ...(other === undefined
      ? []
      : ['', l10n.t('The registry also has a program to download: {0}', other.archive)]),
  ].join('\n');
  const question = l10n.t('Add {0} {1} to your settings?', agent.name, found.version);
  const choices = other === undefined ? [add] : [add, download];
  const answer = await showInformationMessage(question, { modal: true, detail }, ...choices);
  return answer === add ? 'add' : answer === download ? 'download' : undefined;
}

async function askToDownload(
  agent: RegistryAgent,
  binary: RegistryBinary,
  command: readonly string[],
): Promise<AddAnswer> {
  const add = downloadButton(binary, l10n.t('Download and Add'));
  const detail = [
    ...getFacts(agent, binary),
    getVerification(binary),
    '',
    l10n.t('It is started with:\n\n{0}', showArgv(command)),
    '',
    ...variableLines(binary),
    describeReach(binary),
  ].join('\n');
  const question = l10n.t(
    'Download {0} {1} and add it to your settings?',
    ...[agent.name, binary.version],
  );
  const answer = await showInformationMessage(question, { modal: true, detail }, add);
  return answer === add ? 'add' : undefined;
}

/** The label of the button that agrees to a download. */
export function downloadButton({ sha256 }: RegistryBinary, verified: string): string {
  return sha256 === undefined ? l10n.t('Download Without Verification') : verified;
}

/** Who publishes it, where it is from, and under which license. */
export function getFacts(agent: RegistryAgent, way: Way): string[] {
  const authors = agent.authors.join(', ');
  return [
    l10n.t('Publisher: {0} (according to the registry)', authors === '' ? '–' : authors),
    l10n.t('Source: {0}', isBinary(way) ? way.archive : getSource(way)),
    l10n.t('License: {0}', agent.license ?? '–'),
    ...(agent.page === undefined ? [] : [l10n.t('Page: {0}', agent.page)]),
  ];
}

function getSource({ name, version, runner }: RegistryPackage): string {
  return `${runner === 'npx' ? 'npm' : 'PyPI'}: ${name} ${version}`;
}

/** The variables that it gets, and those that an entry of the registry can't set. */
export function variableLines({ env, refusedEnv }: Way): string[] {
  const set = Object.entries(env).map(([name, value]) => showArgv([`${name}=${value}`]));
  return [
    ...(set.length === 0 ? [] : [l10n.t('With the variables: {0}', set.join(' ')), '']),
    ...(refusedEnv.length === 0
      ? []
      : [l10n.t('Left out, since they could change what runs: {0}', refusedEnv.join(', ')), '']),
  ];
}

/** What the agent can do, in any case. */
export function describeReach(way: Way): string {
  if (isBinary(way)) {
    return l10n.t(
      'It is downloaded now, into the extension’s storage. It runs with your permissions: it can read and change your files, run programs and use the network. Nobody has checked it for you.',
    );
  }
  return way.runner === 'npx'
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

async function explainNoProgram({ name, page }: RegistryAgent): Promise<void> {
  const open = l10n.t('Open Page');
  const answer = await showInformationMessage(
    l10n.t(
      '{0} has no program for this machine ({1}, {2}) in the registry. If its page has one, install that, then add it with Custom Command….',
      ...[name, process.platform, process.arch],
    ),
    ...(page === undefined ? [] : [open]),
  );
  if (answer === open && page !== undefined) {
    await openInBrowser(page);
  }
}
