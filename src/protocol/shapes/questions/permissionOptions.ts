import type { PermissionOption } from '../../../shared/requests/agentQuestions';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import { maxId } from '../../bounds';

const kinds: ReadonlySet<unknown> = new Set<PermissionOption['kind']>([
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
]);

/**
 * The options of a permission request. Unusable ones are dropped, including those whose id is too long or repeated, and
 * those of an unknown kind become `other` (PE-2, T-26).
 */
export function readPermissionOptions(value: unknown): readonly PermissionOption[] {
  const options = new Map<string, PermissionOption>();
  for (const item of asArray(value)) {
    const option = isObject(item) ? readPermissionOption(item) : undefined;
    if (option && !options.has(option.optionId)) {
      options.set(option.optionId, option);
    }
  }
  return [...options.values()];
}

function readPermissionOption(value: JsonObject): PermissionOption | undefined {
  const optionId = asString(value['optionId']);
  const name = asString(value['name']);
  const { kind } = value;
  if (optionId === undefined || optionId.length > maxId || name === undefined) {
    return undefined;
  }
  return { optionId, name: name || optionId, kind: isKind(kind) ? kind : 'other' };
}

function isKind(value: unknown): value is PermissionOption['kind'] {
  return kinds.has(value);
}
