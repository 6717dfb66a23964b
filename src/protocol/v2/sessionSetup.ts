import { isObject } from '../../util/json';
import type { SessionSetup } from '../agentConnection';
import { readCommands } from '../shapes/commonUpdates';
import { readConfigOptions } from './readConfig';
import { takesText } from './takesText';

/** The first lists of a session's options and commands (V2-NEW-3); `null` is like none. */
export function readSessionSetup(result: unknown): SessionSetup {
  if (!isObject(result)) {
    return {};
  }
  const configOptions = readConfigOptions(result['configOptions']);
  const commands = readCommands(result['availableCommands'], takesText);
  return { ...(configOptions && { configOptions }), ...(commands && { commands }) };
}
