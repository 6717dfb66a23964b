import type { LineTrouble } from './lineTrouble';

/** What a status of HTTP means that isn't the expected one, and what the log says of it. */
export function statusTrouble(
  status: number,
  location?: string,
): { readonly trouble: LineTrouble; readonly said: string } {
  const said = `HTTP ${status}`;
  if (status >= 300 && status < 400) {
    return { trouble: 'redirect', said: `${said} to ${withoutQuery(location ?? '')}` };
  }
  switch (status) {
    case 401:
      return { trouble: 'unauthorized', said };
    case 403:
      return { trouble: 'forbidden', said };
    case 404:
    case 405:
    case 410:
      return { trouble: 'path', said };
    case 407:
      return proxyTrouble(status);
    default:
      return { trouble: 'notAcp', said };
  }
}

/** What the answer of a proxy means that doesn't connect to the server. */
export function proxyTrouble(status: number): {
  readonly trouble: LineTrouble;
  readonly said: string;
} {
  return {
    trouble: status === 407 ? 'proxyLogin' : 'proxy',
    said: `the proxy answers with HTTP ${status}`,
  };
}

/** A query may have a token. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
