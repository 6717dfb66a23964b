import * as l10n from '@vscode/l10n';
import { checkAddress, type Lookup } from './registryAddress';
import { RegistryError } from './registryError';

const maxRedirects = 5;
/** `fetch` wraps what happened up to twice. */
const maxCauses = 5;

/** How to reach servers. */
export interface FetchParts {
  /** VS Code's, which honors the user's proxy settings. */
  readonly fetch: typeof fetch;
  readonly lookup: Lookup;
}

export interface FollowOptions extends FetchParts {
  /** The registry's address, whose server the user trusts with local addresses, too. */
  readonly registry: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Requests a checked address, and each that its server refers to once that is checked, too. */
export async function followAddress(start: URL, options: FollowOptions): Promise<Response> {
  const { fetch: ask, lookup, registry, headers, signal } = options;
  let url = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await ask(url, { headers, redirect: 'manual', signal });
    if (![301, 302, 303, 307, 308].includes(response.status)) {
      return response;
    }
    await response.body?.cancel();
    url = await checkAddress(response.headers.get('location'), url, registry, lookup);
  }
  throw new RegistryError(
    l10n.t('A server refers from address to address without an end.'),
    `more than ${maxRedirects} redirects`,
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

/** Thrown by VS Code's `fetch`: https://github.com/nodejs/undici/blob/main/lib/dispatcher/proxy-agent.js */
const refusedByProxy = /^\w*Error: Proxy response \((\d{3})\)/;

/** What the user is told if a proxy didn't let the request through; `undefined` if it failed for another reason. */
export function proxyTrouble(error: unknown): RegistryError | undefined {
  const said = getCause(error);
  const [, status] = refusedByProxy.exec(said) ?? [];
  if (status === undefined) {
    return undefined;
  }
  return new RegistryError(
    status === '407'
      ? l10n.t(
          'The proxy wants a sign-in (407). Enter its name and password in http.proxy in the settings, or try again to be asked by VS Code.',
        )
      : l10n.t(
          'The proxy refused the request ({0}). Check http.proxy and http.noProxy in the settings.',
          status,
        ),
    said,
  );
}

/** The first cause of a failed request: a code such as ECONNREFUSED, and what it says. */
export function getCause(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < maxCauses && hasCause(cause); depth++) {
    ({ cause } = cause);
  }
  return String(cause).slice(0, 500);
}

function hasCause(error: unknown): error is { readonly cause: Error } {
  return error instanceof Error && error.cause instanceof Error;
}
