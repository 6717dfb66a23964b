import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on this machine that connects to this machine, whatever the name, or refuses. */
export class Proxy {
  /** The addresses that it was asked for. */
  readonly asked: string[] = [];
  /** The status with which it refuses everything. */
  refusal: number | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((_, response) => response.writeHead(this.refusal ?? 501).end());

  private constructor() {
    this.#server.on('connection', (socket: Socket) => this.#note(socket));
    this.#server.on('connect', ({ url = '' }, socket: Socket) => {
      this.asked.push(url);
      if (this.refusal === undefined) {
        this.#connect(socket, Number(url.split(':').at(-1)));
      } else {
        socket.end(`HTTP/1.1 ${this.refusal} No\r\nContent-Length: 0\r\n\r\n`);
      }
    });
  }

  static async start(): Promise<Proxy> {
    const proxy = new Proxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The address as in `http.proxy`, with this name and password. */
  address(login = ''): string {
    return `http://${login}127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect(socket: Socket, port: number): void {
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    this.#note(target);
  }

  #note(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
