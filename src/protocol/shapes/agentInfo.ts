import { isObject, type JsonObject } from '../../util/json';
import type { AgentInfo } from '../agentConnection';
import { titleIn } from './normaliseContent';

/** Who the agent says that it is (INIT-14, V2-INIT-6). */
export function readAgentInfo(value: unknown): AgentInfo {
  if (!isObject(value)) {
    return {};
  }
  const name = titleIn(value, 'name');
  const title = titleIn(value, 'title') || name;
  const version = titleIn(value, 'version');
  return { ...(name && { name }), ...(title && { title }), ...(version && { version }) };
}

/** What the agent calls itself in its answer to `initialize` of version 1: not for display. */
export function agentNameIn(result: unknown): string | undefined {
  return titleIn(objectOrEmpty(objectOrEmpty(result)['agentInfo']), 'name');
}

export function objectOrEmpty(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** An object according to the protocol, `true` in practice (T-37). */
export function isOffered(capability: unknown): boolean {
  return capability === true || isObject(capability);
}

/** Whether `auth/status` may be asked (AUTH-16). */
export function tellsAccount(capabilities: JsonObject): boolean {
  return isOffered(objectOrEmpty(capabilities['auth'])['status']);
}

/** Whether something can be canceled alone; absent if `capabilities` is, which leaves that as it was. */
export function readCanCancel({ capabilities }: JsonObject): { readonly canCancel?: boolean } {
  if (capabilities === undefined) {
    return {};
  }
  return { canCancel: isObject(capabilities) && isOffered(capabilities['cancel']) };
}
