import { isObject, type JsonObject } from '../../../util/json';
import type { SessionUpdateEvent } from '../../agentConnection';
import { boundedName, maxId, rawForm } from '../../bounds';
import type { SessionUpdate } from '../../updates';

/** The reason why an update can't be used, for the log. */
export type Unusable = string;

/** Validates the `params` of a `session/update`, whose update is read by `readUpdate` (UP-1). */
export function readEvent(
  params: unknown,
  readUpdate: (update: JsonObject) => SessionUpdate | Unusable,
): SessionUpdateEvent | Unusable {
  if (!isObject(params)) {
    return 'session/update without params';
  }
  const { sessionId, update } = params;
  if (typeof sessionId !== 'string' || sessionId.length > maxId) {
    return 'session/update without a session id';
  }
  if (!isObject(update)) {
    return 'session/update without an update';
  }
  const usable = readUpdate(update);
  return typeof usable === 'string' ? usable : { sessionId, update: usable };
}

/** An update of an unknown kind, which is shown as such unless its name says that it is for others (UP-3, V2-EXT-1, V2-EXT-2). */
export function unknownUpdate(kind: unknown, update: JsonObject): SessionUpdate | Unusable {
  return typeof kind === 'string' && kind !== '' && !kind.startsWith('_')
    ? {
        sessionUpdate: '_acp_sessions_unknown',
        what: 'update',
        name: boundedName(kind),
        raw: rawForm(update),
      }
    : unknownKind(kind);
}

/** Says of which kind an update is that can't be used. */
function unknownKind(kind: unknown): Unusable {
  const label =
    typeof kind === 'string' ? JSON.stringify(kind.slice(0, 60)) : `of type ${typeof kind}`;
  return `update of unknown kind ${label}`;
}
