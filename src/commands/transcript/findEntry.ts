import { isObject } from '../../util/json';

/** The entry on which a context menu was opened, or the last of the entries that its row combines. */
export function findEntry(
  argument: unknown,
  which: 'entry' | 'last' = 'entry',
): number | undefined {
  const entry = isObject(argument) ? argument[which] : undefined;
  return typeof entry === 'number' && Number.isInteger(entry) && entry >= 0 ? entry : undefined;
}
