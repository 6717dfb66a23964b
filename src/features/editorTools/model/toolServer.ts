import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Log } from '../../../model/ports';
import { getStack } from '../../../util/getStack';
import { AcpServers } from './acpServers';
import { type AnswersOptions, McpAnswers } from './mcpAnswers';
import { type Offer, Offers } from './offers';
import { isOwnPeer } from './ownPeer';

export interface ToolServerLimits {
  /** Bytes of a message. */
  readonly maxBody: number;
  /** How long a message may take to arrive, in ms. */
  readonly arrivalMs: number;
  /** How long the server stays without a session, in ms. */
  readonly idleMs: number;
}

const usualLimits: ToolServerLimits = {
  maxBody: 1_000_000,
  arrivalMs: 10_000,
  idleMs: 300_000,
};

export interface ToolServerOptions extends AnswersOptions {
  readonly limits?: ToolServerLimits;
  /** Whether a connection comes from the user's own programs. */
  readonly isOwn?: (socket: Socket) => Promise<boolean>;
}

/** What an offer is reached by. */
export interface Reached {
  readonly url: string;
  readonly offer: Offer;
}

/** A request that is refused. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The window's only server of the Model Context Protocol, on loopback, for all of its sessions. It is there as long as a
 * session is, and answers only who has a session's token, is no page in a browser, and runs as the same user.
 */
export class ToolServer {
  /** The same tools for agents that reach them by their own connection: it needs no port. */
  readonly acp: AcpServers;
  readonly #answers: McpAnswers;
  readonly #log: Log;
  readonly #limits: ToolServerLimits;
  readonly #isOwn: (socket: Socket) => Promise<boolean>;
  readonly #offers = new Offers();
  readonly #peers = new WeakMap<Socket, Promise<boolean>>();
  #server: Promise<Server> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor({ limits, isOwn, ...options }: ToolServerOptions) {
    this.#answers = new McpAnswers(options);
    this.#log = options.log;
    this.acp = new AcpServers(this.#answers, options.log);
    this.#limits = limits ?? usualLimits;
    this.#isOwn = isOwn ?? isOwnPeer;
  }

  /** Listens, and lets one more session in. Rejects if no port can be had. */
  async offer(): Promise<Reached> {
    clearTimeout(this.#idle);
    const offer = this.#offers.add();
    try {
      this.#server ??= this.#listen();
      const { port } = (await this.#server).address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/mcp`, offer };
    } catch (error) {
      this.#server = undefined;
      this.#offers.remove(offer);
      throw error;
    }
  }

  withdraw(offer: Offer): void {
    this.#offers.remove(offer);
    if (this.#offers.size === 0) {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.dispose(), this.#limits.idleMs);
      this.#idle.unref();
    }
  }

  /** Ends the server; the next offer starts it again. */
  dispose(): void {
    clearTimeout(this.#idle);
    const server = this.#server;
    this.#server = undefined;
    void server?.then(
      (made) => {
        made.close();
        made.closeAllConnections();
      },
      () => undefined,
    );
  }

  #listen(): Promise<Server> {
    const { arrivalMs } = this.#limits;
    const server = createServer(
      {
        headersTimeout: arrivalMs,
        requestTimeout: arrivalMs,
        connectionsCheckingInterval: Math.ceil(arrivalMs / 5),
      },
      (request, response) => void this.#respond(request, response),
    );
    server.maxConnections = 200;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.off('error', reject);
        server.on('error', (error) => this.#log.warn(`The tools' server: ${getStack(error)}`));
        server.unref();
        resolve(server);
      });
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.on('error', () => gone.abort());
    try {
      const offer = await this.#admit(request);
      const message = parsed(await this.#read(request));
      const answer = await this.#answers.answer(message, offer, gone.signal).catch(() => {
        throw new Refused(400, 'Not a message');
      });
      send(response, answer === undefined ? 202 : 200, answer);
    } catch (error) {
      const [status, text] =
        error instanceof Refused ? [error.status, error.message] : [400, 'Bad request'];
      response.setHeader('Connection', 'close');
      send(response, status, { error: text });
    }
  }

  /** Who sends this; throws `Refused`. What costs least is looked at first. */
  async #admit({ method, url, headers, socket }: IncomingMessage): Promise<Offer> {
    // Browsers always name the page's origin in a POST, and no agent sends any.
    if (headers.origin !== undefined || !isOwnHost(headers.host, socket.localPort)) {
      throw new Refused(403, 'Not for pages');
    }
    let peer = this.#peers.get(socket);
    if (peer === undefined) {
      peer = this.#isOwn(socket);
      this.#peers.set(socket, peer);
    }
    if (!(await peer)) {
      throw new Refused(403, 'Not for other users');
    }
    const offer = this.#offers.find(headers.authorization);
    if (offer === undefined) {
      throw new Refused(401, 'No session has this token');
    }
    if (url !== '/mcp') {
      throw new Refused(404, 'Not here');
    }
    if (method !== 'POST') {
      throw new Refused(405, 'Only POST');
    }
    if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
      throw new Refused(415, 'Only JSON');
    }
    return offer;
  }

  async #read(request: IncomingMessage): Promise<string> {
    const { maxBody } = this.#limits;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBody) {
        throw new Refused(413, 'Too long');
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }
}

function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'Not JSON');
  }
}

function send(response: ServerResponse, status: number, answer: object | undefined): void {
  if (response.headersSent || response.destroyed) {
    return;
  }
  response.writeHead(status, answer && { 'Content-Type': 'application/json' });
  response.end(answer && JSON.stringify(answer));
}
