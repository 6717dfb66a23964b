import * as l10n from '@vscode/l10n';
import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { Failure } from '../../shared/failure';
import { limitText, type UsageLimit } from '../../shared/transcript/usageLimit';
import { isObject } from '../../util/json';
import { cleanText } from '../text/titles';
import { quote } from './agentWords';
import { describeFailure } from './failures';
import { saysImageRefused } from './refusedImage';
import { findRetryTime } from './retryTime';

/** What is known of the agent whose turn has failed. */
interface Failing {
  readonly connection: Pick<AgentConnection, 'authMethods'> | undefined;
  /** The limit that holds, as far as the agent has told. */
  readonly limit: UsageLimit | undefined;
}

/**
 * Describes why a turn has failed: because of a limit of the account (US-6), of an image (T-90), or otherwise. Agents tell in many ways that a
 * login has ended, so any other error that has no code of its own also offers to sign in where that is possible (AUTH-13).
 */
export function describePromptFailure(
  error: unknown,
  agentTitle: string,
  { connection, limit }: Failing,
): Failure {
  const failure = describeFailure(error, agentTitle);
  if (!(error instanceof AcpError) || error.code !== 'rpc') {
    return failure;
  }
  if (saysImageRefused(error.message)) {
    return imageRefused(failure, error, cleanText(agentTitle, 60));
  }
  const reached = saysLimit(error)
    ? codexLimit(error)
    : limit?.status === 'reached'
      ? limit
      : undefined;
  if (reached !== undefined) {
    const { resetsAt } = reached;
    return {
      ...failure,
      title: limitText(reached, Date.now()),
      ...(resetsAt !== undefined && { resetsAt }),
    };
  }
  const hasLogins = connection !== undefined && connection.authMethods.length > 0;
  return hasLogins ? { ...failure, actions: ['retry', 'signIn', 'showLog'] } : failure;
}

/** The limit because of which a turn has failed, unless the agent has told it in another way. */
export function limitOf({ resetsAt }: Failure, error: unknown): UsageLimit | undefined {
  return error instanceof AcpError && saysLimit(error)
    ? { status: 'reached', ...(resetsAt !== undefined && { resetsAt }) }
    : undefined;
}

/** Codex's own name for it. */
function saysLimit({ facts: { data } }: AcpError): boolean {
  return isObject(data) && data['codexErrorInfo'] === 'usageLimitExceeded';
}

function codexLimit({ message }: AcpError): UsageLimit {
  const resetsAt = findRetryTime(message, Date.now());
  return { status: 'reached', ...(resetsAt !== undefined && { resetsAt }) };
}

function imageRefused(failure: Failure, error: AcpError, agent: string): Failure {
  const consequence = l10n.t(
    'The image stays in the conversation, so further prompts would fail, too. A session that begins before it can continue.',
  );
  return {
    ...failure,
    code: 'imageRefused',
    title: l10n.t('{0} couldn’t process an image', agent),
    detail: `${quote(error)} ${consequence}`,
  };
}
