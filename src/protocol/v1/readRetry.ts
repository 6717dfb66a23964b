import { asString, isObject } from '../../util/json';
import { boundedTitle } from '../bounds';
import type { SessionUpdate } from '../updates';

/** Codex says in the `_meta` of an update of its own that it tries a request to the model again, and why. */
export function readRetry(meta: unknown): SessionUpdate | undefined {
  const codex = isObject(meta) ? meta['codex'] : undefined;
  const error = isObject(codex) ? codex['error'] : undefined;
  if (!isObject(error) || error['willRetry'] !== true) {
    return undefined;
  }
  const title = asString(error['message']);
  const description = asString(error['additionalDetails']);
  return title
    ? {
        sessionUpdate: 'notice',
        severity: 'warning',
        title: boundedTitle(title),
        ...(description && { description: boundedTitle(description) }),
      }
    : undefined;
}
