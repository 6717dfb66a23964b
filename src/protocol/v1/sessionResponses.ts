import type { ConfigOption } from '../../shared/transcript/config';
import { asString, isObject } from '../../util/json';
import type { OpenedSession, SessionSetup, SteeringOutcome } from '../agentConnection';
import { boundedTitle, isSessionId } from '../bounds';
import { AcpError } from '../errors';
import { readConfigOptions, readModes } from './readConfig';

/** Validates the answer to `session/load` or `session/resume`, which may be `null` (LOAD-6, RES-5). */
export function readSessionSetup(result: unknown): SessionSetup {
  if (!isObject(result)) {
    return {};
  }
  const modes = readModes(result['modes']);
  const configOptions = readConfigOptions(result['configOptions']);
  return { ...(modes && { modes }), ...(configOptions && { configOptions }) };
}

/**
 * Validates the answer to `session/new` or `session/fork`; throws without a usable session id
 * (NEW-4, NEW-5).
 */
export function readOpenedSession(result: unknown, method: string): OpenedSession {
  const sessionId = isObject(result) ? asString(result['sessionId']) : undefined;
  if (!sessionId) {
    throw new AcpError('malformed', `The answer to ${method} has no session id`);
  }
  if (!isSessionId(sessionId)) {
    throw new AcpError('malformed', `The answer to ${method} has a session id that can't be used`);
  }
  return { sessionId, ...readSessionSetup(result) };
}

/** Validates the answer to `session/fork`: a fork with the id of its origin would take over its tab. */
export function readForkedSession(result: unknown, origin: string): OpenedSession {
  const opened = readOpenedSession(result, 'session/fork');
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

const steeringOutcomes: ReadonlySet<unknown> = new Set<SteeringOutcome>([
  'injected',
  'startedNewTurn',
  'promptRequired',
  'failed',
]);

/** What became of a prompt for the running turn (T-39); throws for an outcome that isn't known. */
export function readSteeringOutcome(result: unknown): SteeringOutcome {
  const outcome = isObject(result) ? result['outcome'] : undefined;
  if (!isSteeringOutcome(outcome)) {
    throw new AcpError('malformed', 'The answer to _session/steering has no known outcome');
  }
  return outcome;
}

function isSteeringOutcome(outcome: unknown): outcome is SteeringOutcome {
  return steeringOutcomes.has(outcome);
}

/** The complete list of config options in the answer to a change (CF-9). */
export function readConfigAnswer(result: unknown): readonly ConfigOption[] {
  const options = isObject(result) ? readConfigOptions(result['configOptions']) : undefined;
  if (!options) {
    throw new AcpError('malformed', 'The answer to session/set_config_option has no options');
  }
  return options;
}

/** The title that the agent stored; the sent one if the answer has none. */
export function readTitleAnswer(result: unknown, sent: string): string {
  return boundedTitle((isObject(result) && asString(result['title'])) || sent);
}
