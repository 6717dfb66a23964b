import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';

/**
 * Whether a login shows to work: the agent lists sessions after it. `false` when that can't be told. Rejects with
 * `authRequired` when the agent still wants a login: some take any, and refuse what follows.
 */
export async function showsToWork(
  connection: Pick<AgentConnection, 'capabilities' | 'listSessions'>,
  cwd: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (!connection.capabilities.list) {
    return false;
  }
  try {
    await connection.listSessions(cwd === undefined ? {} : { cwd }, signal);
    return true;
  } catch (error) {
    if (signal.aborted || (error instanceof AcpError && error.code === 'authRequired')) {
      throw error;
    }
    return false;
  }
}
