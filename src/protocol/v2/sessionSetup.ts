import { isObject } from '../../util/json';
import type { SessionSetup } from '../agentConnection';
import { readCommands, readConfigOptions } from './readLists';

/** The first lists of a session's options and commands (V2-NEW-3); `null` is like none. */
export function readSessionSetup(result: unknown): SessionSetup {
  if (!isObject(result)) {
    return {};
  }
  const configOptions = readConfigOptions(result['configOptions']);
  const commands = readCommands(result['availableCommands']);
  return { ...(configOptions && { configOptions }), ...(commands && { commands }) };
}
