import * as l10n from '@vscode/l10n';
import { checkAddress, type Lookup } from './registryAddress';
import { RegistryError } from './registryError';

const mostRedirects = 5;

/** How to reach servers. */
export interface FetchParts {
  /** VS Code's, which honors the user's proxy settings. */
  readonly fetch: typeof fetch;
  readonly lookup: Lookup;
}

export interface FollowOptions extends FetchParts {
  /** Where the registry is, whose server the user trusts with local addresses, too. */
  readonly registry: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Requests a checked address, and each that its server refers to once that is checked, too. */
export async function followAddress(start: URL, options: FollowOptions): Promise<Response> {
  const { fetch: ask, lookup, registry, headers, signal } = options;
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await ask(url, { headers, redirect: 'manual', signal });
    if (![301, 302, 303, 307, 308].includes(response.status)) {
      return response;
    }
    await response.body?.cancel();
    url = await checkAddress(response.headers.get('location'), url, registry, lookup);
  }
  throw new RegistryError(
    l10n.t('A server refers from address to address without an end.'),
    `more than ${mostRedirects} redirects`,
  );
}

/** The parts of a body, as long as there aren't more bytes than these. Leaving it ends the request. */
export async function* boundedBody(
  { body }: Response,
  most: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // Counted as they are unpacked, whatever the headers say.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > most) {
      throw tooLarge();
    }
    yield chunk;
  }
}

/** The cause of a failed request: a code such as ECONNREFUSED, and what it says. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String(cause).slice(0, 500);
}
