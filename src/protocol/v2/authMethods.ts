import { isObject, type JsonObject } from '../../util/json';
import type { AuthMethod } from '../agentConnection';
import {
  agentsOwn,
  isAbsentOr,
  isListOfStrings,
  type Named,
  readAuthMethodsBy,
} from '../shapes/commonAuthMethods';

/** See `readAuthMethodsBy`. A method of an unknown type is never used as one of a known type (V2-AUTH-4). */
export function readAuthMethods(value: unknown, authTerminal: boolean): readonly AuthMethod[] {
  return readAuthMethodsBy(value, authTerminal, 'methodId', (method, item) => {
    switch (item['type']) {
      case 'agent':
        return agentsOwn(method, item['_meta']);
      case 'terminal':
        return inTerminal(method, item);
      default:
        return undefined;
    }
  });
}

/** A login in a terminal (V2-AUTH-3); nothing is guessed if one of its additions can't be read. */
function inTerminal(method: Named, { args, env }: JsonObject): AuthMethod | undefined {
  return isAbsentOr(args, isListOfStrings) && isAbsentOr(env, isListOfVariables)
    ? {
        ...method,
        type: 'terminal',
        args: args ?? [],
        env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      }
    : undefined;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

function isListOfVariables(value: unknown): value is readonly Variable[] {
  return Array.isArray(value) && value.every(isVariable);
}

function isVariable(value: unknown): value is Variable {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string';
}
