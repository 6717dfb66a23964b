import { Buffer } from 'node:buffer';
import { TLSSocket } from 'node:tls';
import WebSocket from 'ws';
import type { Transport } from '../../../../protocol/agentTransport';
import { webSocketFrames } from '../../../../protocol/transport/webSocketFrames';
import { lineError } from './lineTrouble';
import { defaultMaxFrameBytes, type RemoteOptions, RemoteTransport } from './remoteTransport';
import { proxyTrouble, statusTrouble } from './statusTrouble';

/** Talks to an agent over a WebSocket: one message in each text frame (HTTP-10). */
export function connectWebSocket(options: RemoteOptions): Transport {
  return new WebSocketTransport(options);
}

const newline = Buffer.from('\n');
const tooLarge = /^WS_ERR_(?:UNSUPPORTED_MESSAGE_LENGTH|TOO_MANY_BUFFERED_PARTS)$/;
const lineEnd = 0x0a;
const space = 0x20;

class WebSocketTransport extends RemoteTransport {
  readonly #socket: WebSocket;

  constructor(options: RemoteOptions) {
    super(options);
    this.#socket = new WebSocket(options.url, {
      headers: { ...options.headers },
      maxPayload: options.maxFrameBytes ?? defaultMaxFrameBytes,
      ...webSocketFrames,
    });
    this.connecting();
    this.#listen();
  }

  protected send(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(line.trimEnd(), (error) => (error ? reject(error) : resolve()));
    });
  }

  protected hold(isHeld: boolean): void {
    if (isHeld) {
      this.#socket.pause();
    } else {
      this.#socket.resume();
    }
  }

  protected hangUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.close(1000);
    });
  }

  protected release(): void {
    this.#socket.terminate();
  }

  protected ask(): void {
    this.#socket.ping();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('open', () => this.opened());
    socket.on('message', (data, isBinary) => {
      if (!isBinary) {
        this.take(onOneLine(data as Buffer));
        this.take(newline);
      }
    });
    socket.on('ping', () => this.alive());
    socket.on('pong', () => this.alive());
    socket.on('unexpected-response', (request, { statusCode = 0, headers, socket: line }) => {
      // Only a proxy answers without encryption.
      const isProxy = this.options.url.protocol === 'wss:' && !(line instanceof TLSSocket);
      // Reported before the request is ended, which is an error of its own.
      const { trouble, said } = isProxy
        ? proxyTrouble(statusCode)
        : statusTrouble(statusCode, headers.location);
      this.ended(lineError(trouble, this.host, said));
      request.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (tooLarge.test(error.code ?? '')) {
        this.fail('tooLarge', error.message, error);
      } else if (error.message.startsWith('Invalid Sec-WebSocket-')) {
        this.fail('notAcp', error.message, error);
      } else {
        this.broken(error);
      }
    });
    socket.on('close', (code, reason) => {
      const said = `code ${code} ${reason.toString('utf8')}`.trim();
      // 1008: a server that checks the token only after the upgrade.
      this.fail(code === 1008 ? 'unauthorized' : this.hasHeard ? 'lost' : 'closed', said);
    });
  }
}

/** A line end in a message can only be white space between its parts. */
function onOneLine(frame: Buffer): Buffer {
  let at = frame.indexOf(lineEnd);
  while (at !== -1) {
    frame[at] = space;
    at = frame.indexOf(lineEnd, at + 1);
  }
  return frame;
}
