import type { SessionInfo } from '../../protocol/agentConnection';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { SessionRef } from '../../shared/sessionRef';

/** A key that identifies a session across all agents. Ids are opaque and may contain anything. */
export function sessionKey(agentId: string, sessionId: string): string {
  // The length prefix makes the key unambiguous for any pair of ids.
  return `${agentId.length}:${agentId}:${sessionId}`;
}

/** The `sessionKey` of a reference. */
export function getKey({ agentId, sessionId }: SessionRef): string {
  return sessionKey(agentId, sessionId);
}

/**
 * Applies a patch: absent keeps, `null` clears; ids, roots and what else the list told never change (INFO-1 to INFO-4).
 */
export function applyInfoPatch(info: SessionInfo, patch: SessionInfoPatch): SessionInfo {
  const title = patch.title === undefined ? info.title : patch.title;
  const updatedAt = patch.updatedAt === undefined ? info.updatedAt : patch.updatedAt;
  const meta = patch._meta === undefined ? info._meta : patch._meta;
  const { lastTurnEndedAt, gitBranch, cost, archived, promptTitle } = info;
  const state = patch.state ?? info.state;
  const openElsewhere = patch.openElsewhere ?? info.openElsewhere;
  return {
    sessionId: info.sessionId,
    cwd: info.cwd,
    additionalDirectories: info.additionalDirectories,
    ...(state !== undefined && { state }),
    ...(lastTurnEndedAt !== undefined && { lastTurnEndedAt }),
    ...(gitBranch !== undefined && { gitBranch }),
    ...(cost && { cost }),
    ...(archived !== undefined && { archived }),
    ...(promptTitle !== undefined && { promptTitle }),
    ...(openElsewhere !== undefined && { openElsewhere }),
    ...(typeof title === 'string' && { title }),
    ...(typeof updatedAt === 'string' && { updatedAt }),
    ...(typeof meta === 'object' && meta !== null && { _meta: meta }),
  };
}

/**
 * Merges two patches; the later one wins, field by field (INFO-5). Whether a session is open elsewhere or at work isn't
 * kept for the next list, which says that itself.
 */
export function mergeInfoPatches(
  earlier: SessionInfoPatch | undefined,
  later: SessionInfoPatch,
): SessionInfoPatch {
  return {
    ...earlier,
    ...(later.title !== undefined && { title: later.title }),
    ...(later.updatedAt !== undefined && { updatedAt: later.updatedAt }),
    ...(later._meta !== undefined && { _meta: later._meta }),
  };
}
