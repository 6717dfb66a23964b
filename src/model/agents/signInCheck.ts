import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';

/**
 * Whether a login demonstrably works, because the agent lists sessions after it; `false` when that
 * can't be determined. Rejects with `authRequired` when the agent still requires a login: some agents
 * accept any credentials and refuse the next request.
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
