import type { ConfigOption } from '../../shared/transcript/config';
import type { JsonObject } from '../../util/json';
import { readConfigOptions as readOptions } from '../shapes/sessions/commonConfig';
import { readCommands as readAllCommands } from '../shapes/updates/commonUpdates';
import type { AvailableCommand } from '../updates';

/** Complete lists of what a session offers, in updates as well as in answers. */

const names = { option: 'configId', group: 'groupId' } as const;

/** Config options (V2-CONF-2, V2-CONF-4); `undefined` if the value isn't a list. */
export function readConfigOptions(value: unknown): readonly ConfigOption[] | undefined {
  return readOptions(value, names);
}

/** Commands (V2-CMD-1); `undefined` if the value isn't a list, or none of its items can be read. */
export function readCommands(value: unknown): readonly AvailableCommand[] | undefined {
  return readAllCommands(value, takesText);
}

/** A command with an input of an unknown type is shown as one that takes none (V2-CMD-2). */
function takesText({ type }: JsonObject): boolean {
  return type === 'text' || type === undefined;
}
