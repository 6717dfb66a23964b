import type { ListedOption } from '../../shared/transcript/config';
import { isObject, type JsonObject } from '../../util/json';
import { usableItems } from '../shapes/normaliseContent';
import { readConfigOptions as readOptions } from '../shapes/sessions/commonConfig';
import { readCommand } from '../shapes/updates/commonUpdates';
import type { AvailableCommand } from '../updates';

/** Complete lists of what a session offers, in updates as well as in answers. */

const names = { option: 'configId', group: 'groupId' } as const;

/** Config options (V2-CONF-2, V2-CONF-4); `undefined` if the value isn't a list. */
export function readConfigOptions(value: unknown): readonly ListedOption[] | undefined {
  return readOptions(value, names);
}

/** Commands (V2-CMD-1); `undefined` if the value isn't a list, or none of its items can be read. */
export function readCommands(value: unknown): readonly AvailableCommand[] | undefined {
  return usableItems(value, (item) =>
    isObject(item) && item['type'] === 'skill' ? readSkill(item) : readCommand(item, takesText),
  );
}

/** A skill (T-91). One with a space in its name couldn't be told from what follows it. */
function readSkill(item: JsonObject): AvailableCommand | undefined {
  const skill = readCommand(item, () => false);
  return skill === undefined || /\s/.test(skill.name) ? undefined : { ...skill, skill: true };
}

/** A command with an input of an unknown type is shown as one that takes none (V2-CMD-2). */
function takesText({ type }: JsonObject): boolean {
  return type === 'text' || type === undefined;
}
