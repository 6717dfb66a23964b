import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/util/json';

/** An entry of a registry. */
export function entry(id: string, more: JsonObject = {}): JsonObject {
  return {
    id,
    name: `Agent ${id}`,
    version: '1.2.3',
    description: 'Writes poems',
    authors: ['Ada'],
    license: 'MIT',
    website: `https://example.com/${id}`,
    distribution: { npx: { package: `@poems/${id}@1.2.3`, args: ['--acp'] } },
    ...more,
  };
}

/** The text of a registry with these entries. */
export function registryOf(...agents: readonly unknown[]): string {
  return JSON.stringify({ version: '1.0.0', agents });
}

/** Stands in for the server of a registry. */
export class RegistryServer {
  /** The headers of each request. */
  readonly requests: Readonly<Record<string, unknown>>[] = [];
  /** What it answers, which may change at any time. */
  answer: RequestListener = (_, response) => response.writeHead(500).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push({ url: request.url, ...request.headers });
      this.answer(request, response);
    });
  }

  static async start(): Promise<RegistryServer> {
    const server = new RegistryServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get address(): string {
    return `${this.origin}/registry.json`;
  }

  /** Answers with this text, and with 304 to whoever has it already. */
  serve(text: string, etag = '"1"'): void {
    this.answer = (request, response) => {
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304).end();
      } else {
        response.writeHead(200, { etag, 'content-type': 'application/json' }).end(text);
      }
    };
  }

  redirect(location: string): void {
    this.answer = (_, response) => response.writeHead(302, { location }).end();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
