import type { SessionRef } from '../../../shared/sessionRef';
import type { GroupNode, SessionNode, SessionsNode } from './nodes';

/** What a drop changes in the user's groups. */
export type Drop =
  | {
      readonly kind: 'put';
      readonly sessions: readonly SessionRef[];
      readonly group: string;
      /** The session before which they are put; otherwise at the end. */
      readonly before?: SessionRef;
    }
  /** Out of their groups. */
  | { readonly kind: 'take'; readonly sessions: readonly SessionRef[] }
  /** `before`: a group; otherwise to the end. */
  | { readonly kind: 'move'; readonly group: string; readonly before: string | undefined };

/**
 * What it means to drop these rows on another one, or beside all rows: on a group its end, on a row in a group the place
 * before it, elsewhere no group. A group that is dropped on another one takes its place. `groups`: the ids of all
 * groups, in order.
 */
export function findDrop(
  dragged: readonly SessionsNode[],
  target: SessionsNode | undefined,
  groups: readonly string[],
): Drop | undefined {
  const sessions = dragged.filter((node) => node.kind === 'session').map(nodeRef);
  const group = target && ownGroupAt(target);
  if (sessions.length > 0) {
    if (group === undefined) {
      return isAmongOthers(target) ? { kind: 'take', sessions } : undefined;
    }
    const before = target?.kind === 'session' ? nodeRef(target) : undefined;
    return { kind: 'put', sessions, group, ...(before && { before }) };
  }
  const [moved] = dragged.flatMap((node) => (node.kind === 'group' && node.group.own?.id) || []);
  return moved === undefined || group === undefined || moved === group
    ? undefined
    : { kind: 'move', group: moved, before: placeOf(moved, group, groups) };
}

/** What it means to move rows of one group, or a group, by one place. */
export function findStep(
  rows: readonly SessionsNode[],
  by: 'up' | 'down',
  groups: readonly string[],
): Drop | undefined {
  const [first] = rows;
  if (first?.kind === 'group' && first.group.own !== undefined) {
    const { id } = first.group.own;
    const at = groups.indexOf(id) + (by === 'up' ? -1 : 1);
    const other = groups[at];
    return other === undefined
      ? undefined
      : { kind: 'move', group: id, before: placeOf(id, other, groups) };
  }
  if (first?.kind !== 'session' || first.parent?.kind !== 'group') {
    return undefined;
  }
  const { group, sessions } = first.parent;
  const moved = sessions.filter((node) => rows.includes(node));
  const others = sessions.filter((node) => !rows.includes(node));
  const next = nextPlace(sessions, moved, by);
  if (group.own === undefined || next === undefined) {
    return undefined;
  }
  const before = others[others.indexOf(next) + (by === 'up' ? 0 : 1)];
  return {
    kind: 'put',
    sessions: moved.map(nodeRef),
    group: group.own.id,
    ...(before && { before: nodeRef(before) }),
  };
}

/** The row that the moved ones are to pass. */
function nextPlace(
  sessions: readonly SessionNode[],
  moved: readonly SessionNode[],
  by: 'up' | 'down',
): SessionNode | undefined {
  const edge = by === 'up' ? moved[0] : moved.at(-1);
  const at = edge === undefined ? -1 : sessions.indexOf(edge);
  return at === -1 ? undefined : sessions[at + (by === 'up' ? -1 : 1)];
}

/** The group before which one stands that takes the place of another; `undefined`: the end. */
function placeOf(moved: string, target: string, groups: readonly string[]): string | undefined {
  const isBelow = groups.indexOf(moved) < groups.indexOf(target);
  return isBelow ? groups[groups.indexOf(target) + 1] : target;
}

/** Whether a drop there is one among the sessions of no group, or below all rows. */
function isAmongOthers(target: SessionsNode | undefined): boolean {
  const around = target?.kind === 'session' ? target.parent : target;
  const isMade =
    around?.kind === 'group' && around.group.key !== 'needs' && around.group.key !== 'pinned';
  return around === undefined || isMade;
}

function ownGroupAt(node: SessionsNode): string | undefined {
  const group = node.kind === 'session' || node.kind === 'subagent' ? groupAround(node) : node;
  return group?.kind === 'group' ? group.group.own?.id : undefined;
}

function groupAround(
  node: Extract<SessionsNode, { kind: 'session' | 'subagent' }>,
): GroupNode | undefined {
  const { parent } = node.kind === 'session' ? node : node.session;
  return parent?.kind === 'group' ? parent : undefined;
}

function nodeRef({ row }: SessionNode): SessionRef {
  return { agentId: row.agentId, sessionId: row.info.sessionId };
}
