import * as l10n from '@vscode/l10n';
import {
  boundedBody,
  type FetchParts,
  followAddress,
  getCause,
  proxyTrouble,
} from './followAddress';
import { readAddress } from './registryAddress';
import { RegistryError } from './registryError';

/** Bytes of a registry; the true one has a tenth. */
export const maxRegistryBytes = 1024 * 1024;
const maxEtagLength = 200;

export interface FetchOptions extends FetchParts {
  /** The registry's address, as the user has set it. */
  readonly address: string;
  /** The `ETag` of what is there already. */
  readonly etag: string | undefined;
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
    return await ask(options, signal);
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
    const unreachable = l10n.t('The registry can’t be reached.');
    throw proxyTrouble(error) ?? new RegistryError(unreachable, getCause(error));
  }
}

async function ask(options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
  const { etag: known } = options;
  const registry = readAddress(options.address);
  const headers = {
    accept: 'application/json',
    ...(known !== undefined && { 'if-none-match': known }),
  };
  const response = await followAddress(registry, { ...options, registry, headers, signal });
  const { status } = response;
  if (status === 304 && known !== undefined) {
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
  const etag = response.headers.get('etag') ?? undefined;
  const text = await readText(response);
  return { kind: 'changed', text, etag: etag && etag.length <= maxEtagLength ? etag : undefined };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of boundedBody(response, maxRegistryBytes, tooLarge)) {
    text = decode(() => text + decoder.decode(chunk, { stream: true }));
  }
  return decode(() => text + decoder.decode());
}

function tooLarge(): RegistryError {
  return new RegistryError(
    l10n.t('The registry is too large to read.'),
    `more than ${maxRegistryBytes} bytes`,
  );
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
