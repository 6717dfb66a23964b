import type { Buffer } from 'node:buffer';
import { WebSocket } from 'ws';
import type { Json } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';

export const info = { name: 'client', version: '1.0.0' };

export type Message = { readonly [key: string]: unknown };

/** A client of the server, as any WebSocket library makes one. */
export class Client {
  readonly received: Message[] = [];
  readonly socket: WebSocket;
  ended: { readonly code: number } | undefined;
  #id = 0;

  constructor(url: URL, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data) =>
      this.received.push(JSON.parse((data as Buffer).toString()) as Message),
    );
    this.socket.on('close', (code) => (this.ended = { code }));
  }

  async open(): Promise<this> {
    await new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
    return this;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** The answer to a request. */
  async ask(method: string, params: Json = {}): Promise<Message> {
    const id = ++this.#id;
    this.send({ id, method, params });
    const answer = (): Message | undefined => this.received.find((message) => message['id'] === id);
    await until(() => answer() !== undefined || this.ended !== undefined);
    return answer() ?? {};
  }

  async initialize(protocolVersion = 1): Promise<this> {
    const members = protocolVersion === 1 ? { clientCapabilities: {} } : { info, capabilities: {} };
    await this.ask('initialize', { protocolVersion, ...members });
    return this;
  }

  updates(sessionId: string): readonly Message[] {
    return this.received
      .filter(({ method }) => method === 'session/update')
      .map(({ params }) => params as { sessionId: string; update: Message })
      .filter((params) => params.sessionId === sessionId)
      .map((params) => params.update);
  }
}
