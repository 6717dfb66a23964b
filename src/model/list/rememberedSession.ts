import path from 'node:path';
import type { SessionInfo } from '../../protocol/agentConnection';
import { isPathLength, isSessionId } from '../../protocol/bounds';
import { asArray, isObject } from '../../util/json';
import { findTimestamp } from '../text/timestamps';

const maxRoots = 20;
/** UTF-16 units. */
const maxTitleLength = 700;
const maxBranchLength = 200;

/**
 * What is remembered of a session: enough to show its row and to open it. `undefined` if any part of the value isn't
 * as it should be.
 */
export function rememberedSession(value: unknown): SessionInfo | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { sessionId, cwd, title, updatedAt, gitBranch } = value;
  const roots = asArray(value['additionalDirectories']);
  const isSound =
    typeof sessionId === 'string' &&
    isSessionId(sessionId) &&
    isPath(cwd) &&
    path.isAbsolute(cwd) &&
    roots.length <= maxRoots &&
    roots.every(isPath);
  if (
    !isSound ||
    !isTextOrNone(title, maxTitleLength) ||
    !isTextOrNone(gitBranch, maxBranchLength) ||
    !isTextOrNone(updatedAt, 64) ||
    (updatedAt !== undefined && findTimestamp(updatedAt) === undefined)
  ) {
    return undefined;
  }
  return {
    sessionId,
    cwd,
    additionalDirectories: roots,
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(gitBranch !== undefined && { gitBranch }),
  };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isPathLength(value);
}

function isTextOrNone(value: unknown, most: number): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= most);
}
