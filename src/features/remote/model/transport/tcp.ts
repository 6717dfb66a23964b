import { connect, type Socket } from 'node:net';
import type { Transport } from '../../../../protocol/agentTransport';
import { type RemoteOptions, RemoteTransport } from './remoteTransport';

/** Talks to an agent over a plain socket, with one message on each line, as over stdio. */
export function connectTcp(options: RemoteOptions): Transport {
  return new TcpTransport(options);
}

/** Time until the first probe: with no other messages, only the system can tell whether the other side is there. */
const keepAliveMs = 30_000;

class TcpTransport extends RemoteTransport {
  readonly #socket: Socket;

  constructor(options: RemoteOptions) {
    super(options);
    const { hostname, port } = options.url;
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port),
      keepAlive: true,
      keepAliveInitialDelay: keepAliveMs,
    });
    this.#socket = socket;
    this.connecting();
    socket.setNoDelay(true);
    socket.on('connect', () => this.opened());
    socket.on('data', (bytes) => this.take(bytes));
    socket.on('error', (error) => this.broken(error));
    socket.on('close', () => this.fail(this.hasHeard ? 'lost' : 'closed'));
  }

  protected send(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(line, (error) => (error ? reject(error) : resolve()));
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
      this.#socket.end();
    });
  }

  protected release(): void {
    this.#socket.destroy();
  }

  protected ask(): void {
    // The system asks, see `keepAliveMs`, and reports an error if nobody answers.
    this.alive();
  }
}
