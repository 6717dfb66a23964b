import { pair, readPair, type StoredMapEntry } from '../../platform/storage/storedState';

/** The ports at which agents were shared last, by the agent's id. */
export const storedPorts: StoredMapEntry<number> = {
  key: 'sharing.ports',
  scope: 'global',
  most: 200,
  read: (entry) => {
    const [id, port] = readPair(entry) ?? [];
    const isPort = Number.isInteger(port) && Number(port) > 1023 && Number(port) < 65_536;
    return id !== undefined && isPort ? [id, Number(port)] : undefined;
  },
  write: pair,
};
