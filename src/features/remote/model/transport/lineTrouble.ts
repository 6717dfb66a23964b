import * as l10n from '@vscode/l10n';
import { AcpError, type AcpErrorCode } from '../../../../protocol/errors';

/** What is wrong with the line to an agent on another machine. */
export type LineTrouble =
  /** No machine has this name. */
  | 'lookup'
  /** The machine is there, and nothing listens on the port. */
  | 'refused'
  /** No way leads to the machine. */
  | 'noRoute'
  /** No answer within the time limit. */
  | 'timeout'
  /** The certificate, or the encryption, is not acceptable. */
  | 'tls'
  /** VS Code's proxy can't be reached, or doesn't connect to the server. */
  | 'proxy'
  /** 407: the proxy requires a name and a password. */
  | 'proxyLogin'
  /** 401: a token is required, or the one that was sent is not valid. */
  | 'unauthorized'
  /** 403: the token is not allowed to do this. */
  | 'forbidden'
  /** 404: the server has nothing at this path. */
  | 'path'
  /** The server answers with another address, which is never followed. */
  | 'redirect'
  /** The server speaks HTTP/1.1 only. */
  | 'http1'
  /** The server answers, but not as an agent does. */
  | 'notAcp'
  /** The line was closed before the agent has said anything. */
  | 'closed'
  /** The line was there, and broke. */
  | 'lost'
  /** One message was larger than twice what is read of one. */
  | 'tooLarge';

const codes: Readonly<Partial<Record<LineTrouble, AcpErrorCode>>> = {
  timeout: 'timeout',
  unauthorized: 'authRequired',
  forbidden: 'authRequired',
  closed: 'exited',
  lost: 'exited',
  tooLarge: 'exited',
  notAcp: 'malformed',
};

/** The error for such a trouble, in words for the user. `host` is the address without its path; `said` is for the log. */
export function lineError(
  trouble: LineTrouble,
  host: string,
  said = '',
  cause?: unknown,
): AcpError {
  const text = `${host}: ${trouble}${said === '' ? '' : `: ${withoutLogin(said).slice(0, 500)}`}`;
  const facts = { trouble, subject: host, words: getWords[trouble](host) };
  return new AcpError(codes[trouble] ?? 'notFound', text, facts, { cause });
}

/** The address of a proxy may have a name and a password. */
function withoutLogin(said: string): string {
  return said.replace(/[^\s/@]+@/g, '');
}

/** Classifies an error of the system, of TLS or of a protocol below ours. */
export function systemTrouble(error: unknown): LineTrouble | undefined {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (message.startsWith(proxyFailure)) {
    return 'proxy';
  }
  switch (code) {
    case 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL':
      return 'http1';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return 'lookup';
    case 'ECONNREFUSED':
      return 'refused';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return 'noRoute';
    case 'ETIMEDOUT':
      return 'timeout';
    default:
      return isTls(code) ? 'tls' : undefined;
  }
}

/** What VS Code says without a code: https://github.com/microsoft/vscode-proxy-agent/blob/main/src/agent.ts */
const proxyFailure = 'Failed to establish a socket connection to proxies';

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and the codes of OpenSSL's own errors. */
function isTls(code: string): boolean {
  return /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_|EPROTO$|HOSTNAME_MISMATCH$|ERROR_IN_CERT|PATH_LENGTH_)/.test(
    code,
  );
}

interface Words {
  readonly title: string;
  readonly detail: string;
}

const getWords: Readonly<Record<LineTrouble, (host: string) => Words>> = {
  lookup: (host) => ({
    title: l10n.t('{0} was not found', host),
    detail: l10n.t(
      'No machine has this name. Check the address in the settings, and whether a VPN is needed.',
    ),
  }),
  refused: (host) => ({
    title: l10n.t('{0} refused the connection', host),
    detail: l10n.t(
      'The machine is there, but nothing listens on this port. Start the agent’s server, or correct the port in the settings.',
    ),
  }),
  noRoute: (host) => ({
    title: l10n.t('{0} can’t be reached', host),
    detail: l10n.t('No network leads to it. Check the connection, and whether a VPN is needed.'),
  }),
  timeout: (host) => ({
    title: l10n.t('{0} didn’t answer in time', host),
    detail: l10n.t(
      'The machine may be off or asleep, or a firewall may drop the connection. Check both, then try again.',
    ),
  }),
  tls: (host) => ({
    title: l10n.t('The connection to {0} isn’t secure', host),
    detail: l10n.t(
      'Its certificate is missing, expired, for another name, or by an unknown authority, so nothing was sent. Correct the server’s certificate, or add its authority to those of the system; the log has the reason.',
    ),
  }),
  proxy: (host) => ({
    title: l10n.t('The proxy doesn’t connect to {0}', host),
    detail: l10n.t(
      'VS Code’s proxy can’t be reached, or it refuses this address; the log has its answer. Check http.proxy in the settings, or name the host in http.noProxy if no proxy is needed.',
    ),
  }),
  proxyLogin: (host) => ({
    title: l10n.t('The proxy wants a sign-in before it connects to {0}', host),
    detail: l10n.t(
      'It answered with 407 and got no name and password that it accepts, so nothing was sent. Correct them in http.proxy in the settings, or try again to be asked by VS Code.',
    ),
  }),
  unauthorized: (host) => ({
    title: l10n.t('{0} requires a token', host),
    detail: l10n.t(
      'It sent none of its sessions: without a token, or with one that it doesn’t know, it refuses. Sign in to enter the token.',
    ),
  }),
  forbidden: (host) => ({
    title: l10n.t('{0} refuses this token', host),
    detail: l10n.t('It doesn’t allow the use of the agent. Sign in with another token.'),
  }),
  path: (host) => ({
    title: l10n.t('{0} has no agent at this path', host),
    detail: l10n.t(
      'The server answers, but not there. Correct the path of the address in the settings; it is often /acp.',
    ),
  }),
  redirect: (host) => ({
    title: l10n.t('{0} points to another address', host),
    detail: l10n.t(
      'Tokens are never sent on to another address. If you trust it, enter it in the settings; the log has it.',
    ),
  }),
  http1: (host) => ({
    title: l10n.t('{0} doesn’t speak HTTP/2', host),
    detail: l10n.t(
      'Agents are reached over HTTP/2 or with a WebSocket. If the server offers a WebSocket, let the address begin with wss: instead.',
    ),
  }),
  notAcp: (host) => ({
    title: l10n.t('{0} doesn’t answer like an agent', host),
    detail: l10n.t(
      'What it answers isn’t the Agent Client Protocol. Check the address in the settings: its kind (wss:, https:, tcp:), its port and its path.',
    ),
  }),
  closed: (host) => ({
    title: l10n.t('{0} closed the connection at once', host),
    detail: l10n.t(
      'It may expect another kind of connection, or its agent may fail to start. Check the address in the settings and the server’s own log.',
    ),
  }),
  lost: (host) => ({
    title: l10n.t('The connection to {0} was lost', host),
    detail: l10n.t(
      'A running turn may continue there. The connection is tried again by itself, and at once when you try again.',
    ),
  }),
  tooLarge: (host) => ({
    title: l10n.t('{0} sent a message that is too large', host),
    detail: l10n.t('The connection was closed for it. Try again, or open another session.'),
  }),
};
