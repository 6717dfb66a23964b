import { isObject, type JsonObject } from '../../util/json';
import type { AcpError } from '../errors';
import { refusal } from '../refusal';

/** Read the params of an agent's requests; unusable ones throw `invalidParams`. */

export function invalid(message: string): AcpError {
  return refusal('invalidParams', message);
}

export function readObject(value: unknown): JsonObject {
  if (!isObject(value)) {
    throw invalid('The params are not an object');
  }
  return value;
}

export function stringIn(request: JsonObject, key: string): string {
  return readString(request[key], key);
}

export function readString(value: unknown, key: string): string {
  if (typeof value !== 'string') {
    throw invalid(`${key} is not a string`);
  }
  return value;
}
