import { Buffer } from 'node:buffer';
import { isObject } from '../../util/json';
import { isSessionId, maxId } from '../bounds';

/** The id of a session, if it can be one; here it has at most 8 KiB. */
export function sessionIdIn(value: unknown): string | undefined {
  const id = isObject(value) ? value['sessionId'] : undefined;
  return typeof id === 'string' && isSessionId(id) && Buffer.byteLength(id) <= maxId
    ? id
    : undefined;
}
