import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { Failure } from '../../shared/failure';
import { describeFailure } from './failures';

/**
 * Describes why a turn has failed. Agents tell in many ways that a login has ended, so an error that has no code of its
 * own also offers to sign in where that is possible (AUTH-13).
 */
export function describePromptFailure(
  error: unknown,
  agentTitle: string,
  connection: Pick<AgentConnection, 'authMethods'> | undefined,
): Failure {
  const failure = describeFailure(error, agentTitle);
  const mayBeLogin =
    error instanceof AcpError && error.code === 'rpc' && (connection?.authMethods.length ?? 0) > 0;
  return mayBeLogin ? { ...failure, actions: ['retry', 'signIn', 'showLog'] } : failure;
}
