import * as l10n from '@vscode/l10n';
import { type Lookup, readAddress, readRedirect } from './registryAddress';
import { RegistryError } from './registryError';

/** Bytes of a registry; the true one has a tenth. */
export const mostRegistryBytes = 1024 * 1024;
const mostRedirects = 5;
const longestEtag = 200;

export interface FetchOptions {
  /** As the user has set it. */
  readonly address: string;
  /** The `ETag` of what is there already. */
  readonly etag: string | undefined;
  /** VS Code's, which honors the user's proxy settings. */
  readonly fetch: typeof fetch;
  readonly lookup: Lookup;
  /** How long all of it may take, in ms. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

export type Fetched =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly text: string; readonly etag: string | undefined };

/** Fetches the registry's text. Rejects with a `RegistryError`, or with the signal's reason. */
export async function fetchRegistry(options: FetchOptions): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.patience);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    return await follow(options, signal);
  } catch (error) {
    if (error instanceof RegistryError) {
      throw error;
    }
    options.signal.throwIfAborted();
    if (timeout.aborted) {
      throw new RegistryError(
        l10n.t('The registry took too long to answer.'),
        `no whole answer in ${options.patience} ms`,
      );
    }
    throw new RegistryError(l10n.t('The registry can’t be reached.'), causeOf(error));
  }
}

async function follow(options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
  const configured = readAddress(options.address);
  let url = configured;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await request(url, options, signal);
    const { status, headers } = response;
    if ([301, 302, 303, 307, 308].includes(status)) {
      await response.body?.cancel();
      url = await readRedirect(headers.get('location'), url, configured, options.lookup);
      continue;
    }
    if (status === 304 && options.etag !== undefined) {
      await response.body?.cancel();
      return { kind: 'unchanged' };
    }
    if (status !== 200) {
      await response.body?.cancel();
      throw new RegistryError(
        l10n.t('The registry’s server answered with an error ({0}).', status),
        `status ${status}`,
      );
    }
    const etag = headers.get('etag') ?? undefined;
    const text = await readBody(response);
    return { kind: 'changed', text, etag: etag && etag.length <= longestEtag ? etag : undefined };
  }
  throw new RegistryError(
    l10n.t('The registry’s server refers from address to address without an end.'),
    `more than ${mostRedirects} redirects`,
  );
}

function request(
  url: URL,
  { fetch: ask, etag }: FetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  return ask(url, {
    headers: { accept: 'application/json', ...(etag !== undefined && { 'if-none-match': etag }) },
    // Each is checked here before it is followed.
    redirect: 'manual',
    signal,
  });
}

/** Counts the bytes as they are unpacked, whatever the headers say. */
async function readBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the request.
    if (bytes > mostRegistryBytes) {
      throw new RegistryError(
        l10n.t('The registry is too large to read.'),
        `more than ${mostRegistryBytes} bytes`,
      );
    }
    text = decode(() => text + decoder.decode(chunk, { stream: true }));
  }
  return decode(() => text + decoder.decode());
}

function decode(work: () => string): string {
  try {
    return work();
  } catch {
    throw notRegistry('it is no UTF-8');
  }
}

export function notRegistry(detail: string): RegistryError {
  return new RegistryError(
    l10n.t('What the server sent isn’t an agent registry. Check the address in the settings.'),
    detail,
  );
}

/** The cause of a failed request: a code such as ECONNREFUSED, and what it says. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String(cause).slice(0, 500);
}
