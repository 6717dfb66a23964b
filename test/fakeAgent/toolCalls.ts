import { isObject, type Json } from '../../src/demoAgent/wire/message';

/** Calls a tool of the last of these MCP servers that is reached over HTTP, and says what it answers. */
export async function callTool(servers: Json, params: Json): Promise<Json> {
  const offered = (Array.isArray(servers) ? (servers as readonly unknown[]) : [])
    .filter(isHttp)
    .at(-1);
  if (offered === undefined) {
    return { error: 'no server' };
  }
  const response = await fetch(offered.url, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(offered.headers.map(({ name, value }) => [name, value])),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return (await response.json()) as Json;
}

interface HttpServer {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

function isHttp(server: unknown): server is HttpServer {
  return isObject(server) && server['type'] === 'http' && Array.isArray(server['headers']);
}
