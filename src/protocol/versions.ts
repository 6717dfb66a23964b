import { isObject, type JsonObject } from '../util/json';
import { AcpError } from './errors';
import type { ProtocolVersion } from './protocolVersion';
import { version1 } from './v1/version1';

/** The version that this client offers (INIT-2). */
export const offeredVersion: ProtocolVersion = version1;

/** All versions that this client speaks. */
const versions: readonly ProtocolVersion[] = [version1];

/**
 * The version that the agent chose in its answer to `initialize`. Throws `version` if this client doesn't speak it
 * (INIT-7), or `malformed`.
 */
export function chosenVersion(result: unknown): {
  readonly version: ProtocolVersion;
  readonly answer: JsonObject;
} {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to initialize is not an object');
  }
  const chosen = result['protocolVersion'];
  const version = versions.find(({ number }) => number === chosen);
  if (version === undefined) {
    const subject = chosen === undefined ? 'none' : versionText(chosen);
    const ours = versions.map(({ number }) => number).join(' or ');
    throw new AcpError('version', `The agent speaks protocol version ${subject}, not ${ours}`, {
      subject,
    });
  }
  return { version, answer: result };
}

/** A text for any value; objects aren't written out, because they may be nested without end. */
function versionText(version: unknown): string {
  return typeof version === 'object' ? 'of no kind' : JSON.stringify(version).slice(0, 40);
}
