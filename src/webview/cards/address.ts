import * as l10n from '@vscode/l10n';

/** A web address, split up so that the user can judge it (EL-13). */
export interface Address {
  /** The text before and after the host; `before + host + after` is the whole address. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** Warnings about suspicious parts, as sentences. */
  readonly warnings: readonly string[];
  /** Whether the host opens it: not with a user name, which can be mistaken for the host. */
  readonly canOpen: boolean;
}

/** The address as it would be opened; `undefined` unless it is an http or https address. */
export function readAddress(text: string): Address | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return undefined;
  }
  const { protocol, username, password, host, href } = url;
  const hasUser = username !== '' || password !== '';
  const user = hasUser ? `${username}${password && `:${password}`}@` : '';
  const before = `${protocol}//${user}`;
  return {
    before,
    host,
    after: href.slice(before.length + host.length),
    warnings: getWarnings(url, hasUser),
    canOpen: !hasUser,
  };
}

function getWarnings({ protocol, host, hostname }: URL, hasUser: boolean): readonly string[] {
  const warnings: string[] = [];
  if (/(^|\.)xn--/.test(hostname)) {
    warnings.push(
      l10n.t(
        'This site’s name contains letters that look like others, so it may not be the site it seems to be. Its real name is {0}.',
        host,
      ),
    );
  }
  if (hasUser) {
    warnings.push(
      l10n.t(
        'The part before the @ isn’t a site: the address leads to {0}. An address with a user name isn’t opened.',
        host,
      ),
    );
  }
  if (protocol === 'http:' && !isLoopback(hostname)) {
    warnings.push(
      l10n.t('The connection isn’t encrypted: others can read and change what is sent.'),
    );
  }
  return warnings;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
