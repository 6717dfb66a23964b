import { lookup } from 'node:dns/promises';
import process from 'node:process';
import type { RegistryFacts } from '../../model/agents/registryFacts';
import type { Log } from '../../model/ports';
import { FolderOfTexts } from '../../platform/storage/storedTexts';
import { runsFrom } from '../../util/process/runsFrom';
import { AgentRegistry } from './model/agentRegistry';
import { InstalledAgents } from './model/binary/installedAgents';
import { unpackApart } from './model/binary/unpackApart';
import type { FetchParts } from './model/followAddress';
import { RegistryIcons } from './model/icons/registryIcons';
import { readAddress } from './model/registryAddress';
import { findPlatformTarget } from './model/registryAgent';
import type { InstallPlace } from './model/setUpAgents';
import { registryAddress } from './settings';

/** The folders in which the extension keeps what it knows of the agent registry, on this machine, for all windows. */
export interface RegistryStorage {
  /** The folder of what was last read. */
  readonly folder: string;
  /** The folder of the commands that the user has agreed to, by the agent's ID there. */
  readonly consents: string;
  readonly newerVersions: RegistryFacts;
  /** The icons of the user's agents, as `checkIcon` gives them. */
  readonly icons: RegistryFacts;
  /** The folder of the agents that are installed here. */
  readonly agents: string;
  /** The bundle of the thread that unpacks them. */
  readonly unpacker: string;
}

/** How long the registry may take to answer, in ms. */
const patience = 15_000;
/** How long an archive may take to be unpacked, in ms. */
const unpackPatience = 900_000;

/**
 * VS Code has replaced `fetch` by one that honors its settings for proxies and certificates:
 * https://github.com/microsoft/vscode/issues/12588
 */
const network: FetchParts = {
  fetch: (input, init) => globalThis.fetch(input, init),
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address: ip }) => ip),
};

/** The registry of the settings. */
export function openRegistry({ folder }: Pick<RegistryStorage, 'folder'>, log: Log): AgentRegistry {
  return new AgentRegistry({
    address: registryAddress(),
    texts: new FolderOfTexts(folder),
    ...network,
    patience,
    log,
  });
}

/** The icons of the registry of the settings. */
export function openIcons({ folder }: Pick<RegistryStorage, 'folder'>, log: Log): RegistryIcons {
  return new RegistryIcons({
    ...{ address: registryAddress(), texts: new FolderOfTexts(folder), fetch: network.fetch },
    ...{ patience, now: Date.now, log },
  });
}

/** The folder in which programs of the registry are installed, and which ones. */
export function installPlace({ agents: folder }: Pick<RegistryStorage, 'agents'>): InstallPlace {
  return { folder, target: findPlatformTarget(process.platform, process.arch) };
}

/** The programs of the registry that are installed on this machine. */
export function openInstalled(
  { agents: folder, unpacker }: Pick<RegistryStorage, 'agents' | 'unpacker'>,
  log: Log,
): InstalledAgents {
  const address = registryAddress();
  return new InstalledAgents({
    ...network,
    folder,
    registry: () => (address === '' ? undefined : readAddress(address)),
    platform: process.platform,
    unpack: (request, signal) => unpackApart(unpacker, request, unpackPatience, signal),
    isRunning: runsFrom,
    log,
  });
}
