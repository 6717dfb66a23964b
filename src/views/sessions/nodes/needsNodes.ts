import { needsGroup } from './needs';
import type { GroupNode, SessionNode } from './nodes';
import { fillGroup } from './rowNodes';

/** The group of the sessions that need the user, of all lists, at the top of the tree. */
export class NeedsNodes {
  readonly #group: GroupNode = {
    kind: 'group',
    id: `group:${needsGroup.key}`,
    parent: undefined,
    group: needsGroup,
    sessions: [],
  };

  /** The group; none if nothing needs the user. */
  get children(): readonly GroupNode[] {
    return this.#group.sessions.length === 0 ? [] : [this.#group];
  }

  /**
   * Takes what needs the user in each list, with its place. Returns the nodes to redraw: the group, or all of the tree if
   * it has appeared or gone.
   */
  update(needs: readonly ReadonlyMap<SessionNode, number>[]): readonly (GroupNode | undefined)[] {
    const wasShown = this.children.length > 0;
    const all = new Map(
      needs.flatMap((of) => [...of].map(([node, need]) => [node.row.key, { node, need }] as const)),
    );
    const inOrder = [...all.values()].toSorted(
      (a, b) => a.need - b.need || (b.node.row.updatedAt ?? 0) - (a.node.row.updatedAt ?? 0),
    );
    const isOther = fillGroup(
      this.#group,
      inOrder.map(({ node }) => node),
    );
    const isShown = this.children.length > 0;
    return isShown === wasShown ? (isOther ? [this.#group] : []) : [undefined];
  }
}
