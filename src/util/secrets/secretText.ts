import { secretsOfAddresses } from './addresses';
import { keyBlocks } from './keyBlocks';
import { knownTokens, likelyTokens } from './knownTokens';
import { namedValues } from './namedValues';
import { isReference, isWordOfKind, looksLikeSecret } from './plainWords';
import { findSecretName } from './secretNames';
import type { Span } from './spans';
import { passwordsOfUsers } from './userFlags';
import { withoutFound } from './visible';

function* secretsIn(text: string): Iterable<Span> {
  yield* secretsOfAddresses(text);
  yield* passwordsOfUsers(text);
  yield* namedValues(text);
  yield* likelyTokens(text);
  yield* keyBlocks(text);
}

/**
 * The text without what looks like a secret: passwords in addresses and connection strings, the values of queries and
 * of what is called a secret, headers that authenticate, keys, and tokens of common services. Every text that leaves an
 * agent for a log, a trace, a report or a message goes through this.
 */
export function withoutSecrets(text: string): string {
  return withoutFound(text, secretsIn);
}

/**
 * Returns lines that belong together without secrets: a key has several. `redact` also leaves out what only its caller
 * knows.
 */
export function linesWithoutSecrets(
  lines: readonly string[],
  redact: (text: string) => string = withoutSecrets,
): readonly string[] {
  return lines.length === 0 ? lines : redact(lines.join('\n')).split('\n');
}

/** An id or a cursor, which must stay what it is, without what is a token in any case. */
export function withoutTokens(id: string): string {
  return withoutFound(id, knownTokens);
}

/** Whether the value of a member is a secret by the name of that, as in `{ "password": "…" }`. */
export function isSecretMember(name: string, value: unknown): boolean {
  const kind = findSecretName(name);
  if (typeof value === 'string') {
    return kind === 'sure'
      ? value !== '' && !isWordOfKind(value) && !isReference(value)
      : kind === 'likely' && looksLikeSecret(value);
  }
  return kind === 'sure' && typeof value === 'number';
}
