import { pair, readPair, type StoredMapEntry } from '../../platform/storage/storedState';
import { type KeptCheck, readKeptCheck } from './model/keptCheck';

/** The last results of a workspace's sessions, by session key. */
export const storedChecks: StoredMapEntry<KeptCheck> = {
  key: 'checks.results',
  scope: 'workspace',
  most: 100,
  read: (entry) => {
    const [key, value] = readPair(entry) ?? [];
    const check = readKeptCheck(value);
    return key !== undefined && check !== undefined ? [key, check] : undefined;
  },
  write: pair,
};
