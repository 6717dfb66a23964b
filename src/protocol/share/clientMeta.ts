import { isObject, type JsonObject } from '../../util/json';

/** Levels of nesting of a client's message. */
const deepest = 100;

/** A value without `_meta` in any case and at any depth. Throws if it is nested too deeply. */
export function withoutMeta<T>(value: T, levels?: number): T;
export function withoutMeta(value: unknown, levels = deepest): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (levels === 0) {
    throw new RangeError('Nested too deeply');
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => withoutMeta(item, levels - 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name.toLowerCase() !== '_meta')
      .map(([name, member]) => [name, withoutMeta<unknown>(member, levels - 1)]),
  );
}

/**
 * Of the `_meta` of a client's params: where a fork ends (T-42) and what steering does without a turn (T-39). Agents
 * take options from there that reach as far as the members that are checked: folders, programs, variables.
 */
export function knownMeta({ _meta }: JsonObject): JsonObject {
  const fork = memberOf(memberOf(memberOf(_meta, 'jetbrains'), 'air'), 'fork');
  const { version, messageId } = isObject(fork) ? fork : {};
  const idleBehavior = memberOf(memberOf(_meta, 'steering'), 'idleBehavior');
  return metaOf({
    ...(typeof version === 'number' &&
      typeof messageId === 'string' && { jetbrains: { air: { fork: { version, messageId } } } }),
    ...(typeof idleBehavior === 'string' && { steering: { idleBehavior } }),
  });
}

/** Of the `_meta` of a client's capabilities: that it shows the output of commands that the agent runs itself. */
export function knownCapabilityMeta({ _meta }: JsonObject): JsonObject {
  return metaOf(memberOf(_meta, 'terminal_output') === true ? { terminal_output: true } : {});
}

function metaOf(known: JsonObject): JsonObject {
  return Object.keys(known).length > 0 ? { _meta: known } : {};
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
