import { isObject, type Json } from '../../src/demoAgent/wire/message';

const revision = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/**
 * Calls a tool of the last of these MCP servers that is reached over HTTP or by the agent's connection, and says what it
 * answers. `ask` sends a request to the client.
 */
export async function callTool(
  servers: Json,
  params: { readonly [key: string]: Json },
  ask: (method: string, params: Json) => Promise<Json>,
): Promise<Json> {
  const offered = (Array.isArray(servers) ? (servers as readonly unknown[]) : [])
    .filter((server) => isHttp(server) || isAcp(server))
    .at(-1);
  if (offered === undefined) {
    return { error: 'no server' };
  }
  if (isAcp(offered)) {
    const { serverId } = offered;
    const asked = { serverId, requestId: `${++calls}`, method: 'tools/call' };
    return ask('mcp/message', { ...asked, params: { ...params, _meta: revision } });
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

let calls = 0;

function isAcp(server: unknown): server is { readonly serverId: string } {
  return isObject(server) && server['type'] === 'acp' && typeof server['serverId'] === 'string';
}

interface HttpServer {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

function isHttp(server: unknown): server is HttpServer {
  return isObject(server) && server['type'] === 'http' && Array.isArray(server['headers']);
}
