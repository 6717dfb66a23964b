import { type RequestOptions, request as sendRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, TLSSocket } from 'node:tls';
import { lineError } from './lineTrouble';
import { proxyTrouble } from './statusTrouble';

/** How Node.js gives a request its connection, or says that there is none. */
type TakeSocket = (socket: Socket | undefined, error?: Error) => void;

const protocols = { ALPNProtocols: ['h2'] };

/**
 * Begins a TLS connection for HTTP/2 as VS Code's settings say: with the certificates of the system, and through a
 * proxy, with the name and password that VS Code asks for. It applies them to requests of `node:https`, but not to
 * `node:http2` (https://github.com/microsoft/vscode-proxy-agent), so a request is created, of which nothing is ever
 * sent, and its connection is taken.
 */
export function openSecureSocket(url: URL): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & ConnectionOptions = {
      ...protocols,
      // Only used where VS Code changes nothing.
      createConnection: () => {
        resolve(connectDirectly(url));
        return undefined;
      },
    };
    const request = sendRequest(url, options);
    const attach = request.onSocket.bind(request) as TakeSocket;
    request.onSocket = (socket: Socket | undefined, error?: Error) => {
      if (socket instanceof TLSSocket && !error) {
        resolve(socket);
      } else {
        attach(socket, error);
      }
    };
    // Where a proxy refuses, its answer takes the place of the server's.
    request.on('response', ({ statusCode = 0 }) => {
      const { trouble, said } = proxyTrouble(statusCode);
      reject(lineError(trouble, url.host, said));
      request.destroy();
    });
    request.on('error', reject);
  });
}

function connectDirectly(url: URL): TLSSocket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  return connect({ ...protocols, host, port: Number(url.port || 443), servername });
}
