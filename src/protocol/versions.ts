import { isObject, type JsonObject } from '../util/json';
import { AcpError } from './errors';
import type { ProtocolChoice } from './protocolChoice';
import type { ProtocolVersion } from './protocolVersion';
import { version1 } from './v1/version1';
import { version2 } from './v2/version2';

export type { ProtocolChoice };

/** The versions that this client may speak with an agent; it offers the first one (INIT-2). */
export type OfferedVersions = readonly [ProtocolVersion, ...ProtocolVersion[]];

export const onlyVersion1: OfferedVersions = [version1];

/** The versions that may be spoken, the first of which is offered. */
export function getVersions(choice: ProtocolChoice): OfferedVersions {
  switch (choice) {
    case '1':
      return onlyVersion1;
    case '2':
      return [version2];
    case 'auto':
      return [version2, version1];
  }
}

/**
 * The version that the agent chose in its answer to `initialize`. Throws `version` if it isn't one of those that this
 * client may speak (INIT-7), or `malformed`.
 */
export function chosenVersion(
  result: unknown,
  offered: OfferedVersions,
): { readonly version: ProtocolVersion; readonly answer: JsonObject } {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to initialize is not an object');
  }
  const chosen = result['protocolVersion'];
  const version = offered.find(({ number }) => number === chosen);
  if (version === undefined) {
    const subject = chosen === undefined ? 'none' : versionText(chosen);
    const ours = offered.map(({ number }) => number).join(' or ');
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
