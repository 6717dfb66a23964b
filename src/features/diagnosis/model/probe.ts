import type { Connect } from '../../../model/agents/connect';
import type { AgentConfig } from '../../../model/ports';
import { AcpError } from '../../../protocol/errors';
import { refusedRequests } from '../../../protocol/refusedRequests';

/** The agent is told that requests are answered, as in a real start, but none is. */
export const refusals = refusedRequests('Nothing is done for an agent that is only tried');

/**
 * Starts an agent in a process of its own, initializes it, and ends it. Resolves with the error that it failed with, if
 * any; rejects with the signal's reason.
 */
export async function probe(
  config: AgentConfig,
  connect: Connect,
  signal: AbortSignal,
): Promise<AcpError | undefined> {
  try {
    const connection = await connect(config, refusals, signal, {});
    await connection.close();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AcpError) {
      return error;
    }
    throw error;
  }
}
