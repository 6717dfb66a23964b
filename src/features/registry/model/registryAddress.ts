import { isIP } from 'node:net';
import * as l10n from '@vscode/l10n';
import { maxHrefLength } from '../../../shared/lengths';
import { isLocalAddress } from './localAddress';
import { RegistryError } from './registryError';

/** Finds the addresses of a host; may reject. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Reads the address that the user has set. `http:` is for this machine only. */
export function readAddress(text: string): URL {
  const url = text.length <= maxHrefLength && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !(url.protocol === 'https:' || isOwnMachine(url))) {
    throw new RegistryError(
      l10n.t('The address of the registry in the settings must begin with https://.'),
      'the address in the settings is refused',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RegistryError(
      l10n.t('The address of the registry in the settings must not contain a password.'),
      'the address in the settings has a user name or a password',
    );
  }
  url.hash = '';
  return url;
}

/**
 * Checks an address that a registry or a server names. It may be on the server of the registry, which the user has
 * chosen, or on another one on the internet, but never in the user's own networks. Behind a proxy, names may be unknown
 * here: the proxy decides about them then.
 */
export async function checkAddress(
  to: string | null,
  from: URL | undefined,
  registry: URL | undefined,
  lookup: Lookup,
): Promise<URL> {
  const url = to !== null && URL.canParse(to, from?.href) ? new URL(to, from?.href) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw refused('an address that is none');
  }
  url.hash = '';
  if (url.origin === registry?.origin) {
    return url;
  }
  if (url.protocol !== 'https:') {
    throw refused(`an address with ${url.protocol}`);
  }
  const host = getHost(url);
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host];
  if (isLocalName(host) || addresses.some(isLocalAddress)) {
    throw refused('an address of this machine or of a private network');
  }
  return url;
}

function refused(what: string): RegistryError {
  return new RegistryError(
    l10n.t('The registry or a server refers to an address that isn’t safe to read.'),
    `refers to ${what}`,
  );
}

/** Whether an address is on this machine, without encryption. */
export function isOwnMachine(url: URL): boolean {
  const host = getHost(url);
  const isLoopback = /^127\./.test(host) && isIP(host) === 4;
  return url.protocol === 'http:' && (host === 'localhost' || host === '::1' || isLoopback);
}

function isLocalName(host: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host);
}

/** The host without the brackets of an IPv6 address, and without the dot that ends a whole name. */
function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
