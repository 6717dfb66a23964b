import { lookup } from 'node:dns/promises';
import type { KeyedStorage, Log } from '../model/ports';
import { AgentRegistry } from '../model/registry/agentRegistry';
import type { NewerVersions } from '../model/registry/newerVersions';
import type { VsCodeSettings } from './settings/settings';
import { FolderOfTexts } from './storage/storedTexts';

/** Where the extension keeps what it knows of the agent registry, on this machine, for all windows. */
export interface RegistryStorage {
  /** The folder of what was last read. */
  readonly folder: string;
  /** The commands that the user has agreed to. */
  readonly consents: Pick<KeyedStorage, 'get' | 'update'>;
  readonly newerVersions: NewerVersions;
}

/** How long the registry may take to answer, in ms. */
const patience = 15_000;

/**
 * The registry of the settings. VS Code has replaced `fetch` by one that honors its settings for proxies and
 * certificates: https://github.com/microsoft/vscode/issues/12588
 */
export function openRegistry(
  { registryAddress: address }: Pick<VsCodeSettings, 'registryAddress'>,
  { folder }: Pick<RegistryStorage, 'folder'>,
  log: Log,
): AgentRegistry {
  return new AgentRegistry({
    address,
    texts: new FolderOfTexts(folder),
    fetch: (input, init) => globalThis.fetch(input, init),
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address: ip }) => ip),
    patience,
    log,
  });
}
