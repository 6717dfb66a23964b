import { isObject } from '../../util/json';
import type { SessionSetup, SteeringOutcome } from '../agentConnection';
import { AcpError } from '../errors';
import { readConfigOptions, readModels, readModes } from './readConfig';

/**
 * Validates what an answer that opens a session has besides its id. The answer to `session/load` or `session/resume`
 * may be `null` (LOAD-6, RES-5).
 */
export function readSessionSetup(result: unknown): SessionSetup {
  if (!isObject(result)) {
    return {};
  }
  const modes = readModes(result['modes']);
  const models = readModels(result['models']);
  const configOptions = readConfigOptions(result['configOptions']);
  return {
    ...(modes && { modes }),
    ...(models && { models }),
    ...(configOptions && { configOptions }),
  };
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
