import type { AgentConnection } from '../../protocol/agentConnection';
import type { Agent } from '../agent';

/** Asks an agent that runs, and the one that takes its place if that happens before it has answered. */
export async function askCurrent<T>(
  asked: Agent,
  ask: (agent: Agent, connection: AgentConnection) => Promise<T>,
): Promise<T> {
  for (;;) {
    const connection = await asked.connect();
    const agent = asked.current;
    try {
      return await ask(agent, connection);
    } catch (error) {
      if (asked.current === agent) {
        throw error;
      }
    }
  }
}
