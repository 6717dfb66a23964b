import type { ListedOption } from '../../../shared/transcript/config';
import { asString, isObject } from '../../../util/json';
import type { OpenedSession, SessionSetup } from '../../agentConnection';
import { boundedTitle, isSessionId } from '../../bounds';
import { AcpError } from '../../errors';

/**
 * Validates the answer to `session/new` or `session/fork`; throws without a usable session id
 * (NEW-4, NEW-5). `readSetup` reads the rest of it.
 */
export function readOpenedSession(
  result: unknown,
  method: string,
  readSetup: (result: unknown) => SessionSetup,
): OpenedSession {
  const sessionId = isObject(result) ? asString(result['sessionId']) : undefined;
  if (!sessionId) {
    throw new AcpError('malformed', `The answer to ${method} has no session id`);
  }
  if (!isSessionId(sessionId)) {
    throw new AcpError('malformed', `The answer to ${method} has a session id that can't be used`);
  }
  return { sessionId, ...readSetup(result) };
}

/** Checks the answer to `session/fork`: a fork with the id of its origin would take over its tab. */
export function checkFork(opened: OpenedSession, origin: string): OpenedSession {
  if (opened.sessionId === origin) {
    throw new AcpError('malformed', 'The agent gave a fork the id of the session it comes from');
  }
  return opened;
}

/**
 * The stop reason of a turn, which may be any string (PR-6); a turn whose answer has none has still
 * ended.
 */
export function readStopReason(result: unknown): string {
  return boundedTitle((isObject(result) && asString(result['stopReason'])) || 'unknown');
}

/** The complete list of config options in the answer to a change (CF-9). */
export function checkConfigAnswer({ configOptions }: SessionSetup): readonly ListedOption[] {
  if (!configOptions) {
    throw new AcpError('malformed', 'The answer to session/set_config_option has no options');
  }
  return configOptions;
}

/** The title that the agent stored; the sent one if the answer has none. */
export function readTitleAnswer(result: unknown, sent: string): string {
  return boundedTitle((isObject(result) && asString(result['title'])) || sent);
}
