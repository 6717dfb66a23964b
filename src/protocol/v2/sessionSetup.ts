import { isObject } from '../../util/json';
import type { SessionSetup } from '../agentConnection';
import { boundedTitle, maxTitle } from '../bounds';
import { titleIn, usableItems } from '../shapes/normaliseContent';
import type { AvailableCommand } from '../updates';
import { readConfigOptions } from '../v1/readConfig';

/** The first lists of a session's options and commands (V2-NEW-3); `null` is like none. */
export function readSessionSetup(result: unknown): SessionSetup {
  if (!isObject(result)) {
    return {};
  }
  const options = result['configOptions'];
  const configOptions = readConfigOptions(Array.isArray(options) ? options.map(withId) : options);
  const commands = usableItems(result['availableCommands'], readCommand);
  return { ...(configOptions && { configOptions }), ...(commands && { commands }) };
}

function withId(option: unknown): unknown {
  return isObject(option) ? { ...option, id: option['configId'] } : option;
}

function readCommand(value: unknown): AvailableCommand | undefined {
  const name = isObject(value) ? value['name'] : undefined;
  if (!isObject(value) || typeof name !== 'string' || name === '' || name.length > maxTitle) {
    return undefined;
  }
  const { input } = value;
  const hint =
    isObject(input) && input['type'] === 'text' ? titleIn(input, 'hint') : undefined;
  return {
    name: boundedTitle(name),
    description: titleIn(value, 'description') ?? '',
    ...(hint !== undefined && { hint }),
  };
}
