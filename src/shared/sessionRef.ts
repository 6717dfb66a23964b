import { asString, isObject } from '../util/json';

/** What identifies a session among those of all agents. */
export interface SessionRef {
  readonly agentId: string;
  readonly sessionId: string;
}

/** A reference to a session, or to that of a row of a list. */
export function getRef({
  agent,
  info,
}: {
  readonly agent: { readonly id: string };
  readonly info: { readonly sessionId: string };
}): SessionRef {
  return { agentId: agent.id, sessionId: info.sessionId };
}

/** What a stored value, or the argument of a command, says of it; `undefined` if it isn't one. */
export function readSessionRef(value: unknown): SessionRef | undefined {
  const agentId = isObject(value) ? asString(value['agentId']) : undefined;
  const sessionId = isObject(value) ? asString(value['sessionId']) : undefined;
  return agentId === undefined || sessionId === undefined ? undefined : { agentId, sessionId };
}
