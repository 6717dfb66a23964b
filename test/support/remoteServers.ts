import { Buffer } from 'node:buffer';
import {
  createServer as createHttp1,
  type Server as Http1Server,
  type IncomingMessage,
} from 'node:http';
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';

/** Servers on this machine for one test, all ended by `endServers`. */
const ends: (() => Promise<void>)[] = [];

/** What a server proves its name with. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Ends all servers, with their connections. */
export async function endServers(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}

/** Begins to listen on loopback; resolves with the address. */
export async function listening(
  server: Server | Http1Server | Http2Server,
  kind: string,
): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    for (const socket of sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return new URL(`${kind}://127.0.0.1:${port}/acp`);
}

/** A server that hands each WebSocket to the function; with a token, any request without it is refused with 401. */
export async function webSocketServer(
  serve: (socket: ServerSocket) => void,
  token?: string,
  certificate?: ServerCertificate,
): Promise<URL> {
  const server = certificate === undefined ? createHttp1() : createHttps(certificate);
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) =>
      token === undefined || req.headers.authorization === `Bearer ${token}`,
  });
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  ends.push(() => new Promise((resolve) => sockets.close(() => resolve())));
  return listening(server, certificate === undefined ? 'ws' : 'wss');
}

/** A server that hands each connection to the function. */
export function socketServer(serve: (socket: Socket) => void, kind = 'tcp'): Promise<URL> {
  return listening(createServer(serve), kind);
}

export interface ServedStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server of HTTP/2 that hands each request, with its body, to the function. */
export function http2Server(
  serve: (request: ServedStream) => void,
  certificate?: ServerCertificate,
): Promise<URL> {
  const server = certificate === undefined ? createHttp2() : createSecureServer(certificate);
  server.on('session', (session: ServerHttp2Session) => session.on('error', () => undefined));
  server.on('stream', (stream, headers) => {
    const pieces: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () =>
      serve({ stream, headers: { ...headers }, body: Buffer.concat(pieces).toString() }),
    );
  });
  return listening(server, certificate === undefined ? 'http' : 'https');
}

export function echoingWebSocket(certificate?: ServerCertificate): Promise<URL> {
  return webSocketServer(
    (socket) => {
      socket.on('message', (data) => {
        const text = (data as Buffer).toString();
        socket.send(text);
        if (text.includes('leave')) {
          socket.send('"bye"');
          socket.close();
        }
      });
    },
    undefined,
    certificate,
  );
}

export function echoingSocket(): Promise<URL> {
  return socketServer((socket) => {
    socket.on('data', (bytes) => {
      socket.write(bytes);
      if (bytes.includes('leave')) {
        socket.end('"bye"\n');
      }
    });
  });
}

export function echoingHttp(certificate?: ServerCertificate): Promise<URL> {
  const streams: ServerHttp2Stream[] = [];
  const waiting: string[] = [];
  const say = (text: string): void => {
    if (streams[0] === undefined) {
      waiting.push(text);
    } else {
      streams[0].write(`data: ${text.trim()}\n\n`);
    }
  };
  return http2Server(({ stream, headers, body }) => {
    if (headers[':method'] === 'GET') {
      stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
      streams.push(stream);
      waiting.splice(0).forEach(say);
      return;
    }
    if (headers[':method'] === 'DELETE' || headers['acp-connection-id'] !== undefined) {
      stream.respond({ ':status': 202 }, { endStream: true });
      say(body);
    } else {
      const own = { 'acp-connection-id': 'c1', 'content-type': 'application/json' };
      stream.respond({ ':status': 200, ...own });
      stream.end(body.trim());
    }
    if (body.includes('leave')) {
      say('"bye"');
      const end = setInterval(() => {
        if (streams[0] !== undefined) {
          clearInterval(end);
          streams[0].end();
        }
      }, 1);
    }
  }, certificate);
}
