import type { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Emitter } from '../../util/emitter';
import { defaultMaxMessageBytes } from '../lineSplitter';
import { CountedLog, type ProtocolLog } from '../rpc/countedLog';
import { webSocketFrames } from '../transport/webSocketFrames';
import { Gate, type Verdict } from './gate';
import { SharedConnection, type SharedConnectionOptions } from './sharedConnection';
import { UndecidedSockets } from './undecidedSockets';

export interface AgentServerOptions extends Omit<SharedConnectionOptions, 'socket' | 'log'> {
  /** The address of this machine to listen at. */
  readonly host: string;
  /** Taken if it is free; otherwise, and without it, the system chooses one. */
  readonly port?: number | undefined;
  readonly log: ProtocolLog;
  /** Milliseconds for the request of a connection. */
  readonly requestMs?: number;
  /** See `GateOptions`. */
  readonly delayMs?: number;
}

/** A client that is connected. */
export interface ConnectedClient {
  readonly id: number;
  /** The address of its machine. */
  readonly peer: string;
  /** The time of its connection, in ms since the epoch. */
  readonly since: number;
}

/** The path that agents are usually served at (HTTP-10). */
const path = '/acp';
const maxClients = 8;
const defaultRequestMs = 10_000;
const maxHeaderBytes = 8 * 1024;

/** Serves an agent of this machine at an address, to clients that have its token. */
export class AgentServer {
  readonly #options: AgentServerOptions;
  readonly #log: CountedLog;
  readonly #server: Server;
  readonly #gate: Gate;
  readonly #upgrades: WebSocketServer;
  readonly #connections = new Map<SharedConnection, ConnectedClient>();
  /** The sockets that aren't connections yet, or were refused. */
  readonly #sockets = new Set<Duplex>();
  readonly #undecided = new UndecidedSockets();
  readonly #changed = new Emitter<void>();
  /** Fires when a client has connected or is gone. */
  readonly onDidChange = this.#changed.event;
  #lastId = 0;
  #isStopped = false;

  private constructor(options: AgentServerOptions) {
    const { host, delayMs, log, maxMessageBytes, requestMs = defaultRequestMs } = options;
    this.#options = options;
    this.#log = new CountedLog(log, 20);
    this.#gate = new Gate({ path, host, ...(delayMs !== undefined && { delayMs }) });
    this.#upgrades = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: maxMessageBytes ?? defaultMaxMessageBytes,
      ...webSocketFrames,
    });
    this.#server = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: requestMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: Math.min(1000, requestMs),
      },
      (_, response) => {
        response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
      },
    );
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      this.#undecided.add(socket, socket.remoteAddress ?? '');
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    this.#server.on(
      'upgrade',
      (request, socket, head) => void this.#upgrade(request, socket, head),
    );
  }

  /** Rejects with the system's error if nothing can listen there. */
  static async listen(options: AgentServerOptions): Promise<AgentServer> {
    const { port = 0 } = options;
    try {
      return await AgentServer.#listenAt(options, port);
    } catch (error) {
      if (port === 0) {
        throw error;
      }
      return AgentServer.#listenAt(options, 0);
    }
  }

  static async #listenAt(options: AgentServerOptions, port: number): Promise<AgentServer> {
    const made = new AgentServer(options);
    await new Promise<void>((resolve, reject) => {
      made.#server.once('error', reject);
      made.#server.listen({ port, host: options.host, exclusive: true }, resolve);
    });
    made.#server.removeAllListeners('error');
    made.#server.on('error', (error) => made.#log.note('server', () => error.message));
    return made;
  }

  get url(): URL {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return new URL(`ws://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`);
  }

  get clients(): readonly ConnectedClient[] {
    return [...this.#connections.values()];
  }

  /** A token in place of the one before, with which everyone is disconnected. Nothing keeps it: it is shown once. */
  newToken(): string {
    const token = this.#gate.newToken();
    for (const connection of this.#connections.keys()) {
      connection.close();
    }
    return token;
  }

  disconnect(id: number): void {
    for (const [connection, client] of this.#connections) {
      if (client.id === id) {
        connection.close();
      }
    }
  }

  /** Ends all connections with their processes; resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    const connections = [...this.#connections.keys()];
    for (const connection of connections) {
      connection.close();
    }
    await Promise.all(connections.map(({ ended }) => ended));
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await closed;
    this.#changed.dispose();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Gone while it waits for its answer.
    socket.resume();
    const verdict = this.#fits(await this.#gate.admit(request));
    if (verdict.status === 101 && !this.#isStopped && !socket.destroyed) {
      this.#undecided.decided(socket);
      this.#upgrades.handleUpgrade(request, socket, head, (opened) =>
        this.#connect(opened, request),
      );
      return;
    }
    this.#log.note('refused', () => `${request.socket.remoteAddress ?? ''}: ${verdict.reason}`);
    const { status } = verdict;
    if (status === 0) {
      socket.destroy();
    } else {
      const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
      socket.end(
        `HTTP/1.1 ${status}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    }
  }

  #fits(verdict: Verdict): Verdict | { readonly status: 503; readonly reason: string } {
    return verdict.status === 101 && this.#connections.size >= maxClients
      ? { status: 503, reason: 'too many clients' }
      : verdict;
  }

  #connect(socket: WebSocket, { socket: { remoteAddress = '' } }: IncomingMessage): void {
    const connection = new SharedConnection({ ...this.#options, socket });
    const peer = remoteAddress.replace(/^::ffff:/, '');
    this.#connections.set(connection, { id: ++this.#lastId, peer, since: Date.now() });
    this.#options.log.info(`${peer} has connected`);
    this.#changed.fire();
    void connection.ended.then(() => {
      this.#connections.delete(connection);
      this.#options.log.info(`${peer} is gone`);
      this.#changed.fire();
    });
  }
}
