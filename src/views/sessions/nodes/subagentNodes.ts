import type { SessionNode, ShownSubagent, SubagentNode } from './nodes';

/** Rows below one session or subagent; the last one stands for those that are left out. */
const maxRows = 20;

/** The running subagents below the rows of sessions (SUB-1). A node is created once for each of them. */
export class SubagentNodes {
  readonly #getRunning: (node: SessionNode) => readonly ShownSubagent[];
  readonly #nodes = new WeakMap<SessionNode, Map<number, SubagentNode>>();

  constructor(getRunning: (node: SessionNode) => readonly ShownSubagent[]) {
    this.#getRunning = getRunning;
  }

  /** The subagents that the session, or this subagent, has started. */
  below(parent: SessionNode | SubagentNode): readonly SubagentNode[] {
    const session = parent.kind === 'session' ? parent : parent.session;
    const running = this.#getRunning(session);
    const known = this.#getKnownNodes(session, running);
    const number = parent.kind === 'session' ? undefined : parent.subagent.number;
    const own = running.filter((each) => runningAncestor(each)?.number === number);
    const nodes = own.slice(0, maxRows).map((subagent): SubagentNode => {
      const before = known.get(subagent.number);
      const node = before?.parent === parent ? before : createNode(session, parent, subagent);
      node.subagent = subagent;
      node.others = 0;
      known.set(subagent.number, node);
      return node;
    });
    const last = nodes.at(-1);
    if (last !== undefined) {
      last.others = own.length - nodes.length;
    }
    return nodes;
  }

  /** The nodes that still have a row; the others are forgotten. */
  #getKnownNodes(
    session: SessionNode,
    running: readonly ShownSubagent[],
  ): Map<number, SubagentNode> {
    const known = this.#nodes.get(session) ?? new Map<number, SubagentNode>();
    this.#nodes.set(session, known);
    const numbers = new Set(running.map(({ number }) => number));
    for (const number of known.keys()) {
      if (!numbers.has(number)) {
        known.delete(number);
      }
    }
    return known;
  }
}

function createNode(
  session: SessionNode,
  parent: SessionNode | SubagentNode,
  subagent: ShownSubagent,
): SubagentNode {
  const id = `${session.id}/subagent/${subagent.number}`;
  return { kind: 'subagent', id, parent, session, subagent, others: 0 };
}

/** What it is shown below: what started it may have come to rest before it. */
function runningAncestor({ parent }: ShownSubagent): ShownSubagent | undefined {
  let ancestor = parent;
  while (ancestor !== undefined && !ancestor.isRunning) {
    ancestor = ancestor.parent;
  }
  return ancestor;
}
