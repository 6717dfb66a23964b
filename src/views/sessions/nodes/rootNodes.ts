import type { Agent } from '../../../model/agent';
import type { AgentConfigProblem } from '../../../model/ports';
import type { AgentNode, FilterNode, ProblemNode } from './nodes';

/** The id of an agent's node, which needn't exist yet. */
export function agentNodeId(agentId: string): string {
  return `agent:${agentId}`;
}

/** The nodes at the top of the tree, each created once. */
export class RootNodes {
  readonly filter: FilterNode = { kind: 'filter', id: 'filter', parent: undefined };
  readonly #agents = new Map<Agent, AgentNode>();
  readonly #lines = new Map<Agent, AgentNode>();
  readonly #problems = new Map<string, ProblemNode>();

  agent(agent: Agent): AgentNode {
    let node = this.#agents.get(agent);
    if (node === undefined) {
      node = { kind: 'agent', id: agentNodeId(agent.id), parent: undefined, agent };
      this.#agents.set(agent, node);
    }
    return node;
  }

  /** What there is to say about an agent whose sessions show among those of others. */
  line(agent: Agent): AgentNode {
    let node = this.#lines.get(agent);
    if (node === undefined) {
      node = { kind: 'agent', id: `line:${agent.id}`, parent: undefined, agent, isLine: true };
      this.#lines.set(agent, node);
    }
    return node;
  }

  /** The agent's nodes, as far as they were created. */
  known(agent: Agent): readonly AgentNode[] {
    return [this.#agents.get(agent), this.#lines.get(agent)].filter((node) => node !== undefined);
  }

  problem(problem: AgentConfigProblem): ProblemNode {
    let node = this.#problems.get(problem.id);
    if (node === undefined || node.problem.reason !== problem.reason) {
      node = { kind: 'problem', id: `problem:${problem.id}`, parent: undefined, problem };
      this.#problems.set(problem.id, node);
    }
    return node;
  }

  keepOnly(agents: readonly Agent[]): void {
    for (const nodes of [this.#agents, this.#lines]) {
      for (const agent of nodes.keys()) {
        if (!agents.includes(agent)) {
          nodes.delete(agent);
        }
      }
    }
  }
}
