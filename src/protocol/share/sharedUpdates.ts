import type { JsonObject } from '../../util/json';
import type { SessionUpdateEvent } from '../agentConnection';
import type { SessionInfoPatch } from '../updates';
import { normaliseUpdate } from '../v1/normaliseUpdate';

/** Reads an update that another client was sent, as strictly as one of an own agent; `undefined` if it can't be used. */
export function readHeard(sessionId: string, update: JsonObject): SessionUpdateEvent | undefined {
  const read = normaliseUpdate({ sessionId, update });
  return typeof read === 'string' ? undefined : read;
}

/** What an own agent said of a session, for other clients. */
export function infoUpdate({ title, updatedAt }: SessionInfoPatch): JsonObject {
  return {
    sessionUpdate: 'session_info_update',
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}
