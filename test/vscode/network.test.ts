import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import path from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { serverName } from '../../scripts/tests/certificates.mjs';
import { fetchRegistry } from '../../src/features/registry/model/fetchRegistry';
import { Proxy } from '../support/proxy';
import { registryOf } from '../support/registryServer';
import { endServers, http2Server, listening, webSocketServer } from '../support/remoteServers';
import { Dialogs } from './harness/dialogs';
import { ExtensionBench, waitFor } from './harness/support';

/** An `AcpError`, which has a class of its own in each bundle. */
interface Trouble extends Error {
  readonly facts: { readonly trouble?: string };
}

const folder = process.env['ACP_SESSIONS_TEST_CERTIFICATES'] ?? '';

describe('VS Code’s settings for the network', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  /** The proxy for all tests: the `fetch` of VS Code 1.106 goes on with the first one until the window is reloaded. */
  let proxy: Proxy;
  /** The certificate by the authority that the host's system trusts. */
  const certificate = {
    cert: readFileSync(path.join(folder, 'server.pem'), 'utf8'),
    key: readFileSync(path.join(folder, 'server.key'), 'utf8'),
  };
  before(async () => {
    proxy = await Proxy.start();
  });
  after(() => proxy.close());
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Connect');
  });
  afterEach(async () => {
    await setHttp('proxy', undefined);
    await setHttp('noProxy', undefined);
    dialogs.dispose();
    await bench.dispose();
    await endServers();
  });

  /** Resolves once this extension host has the value. */
  async function setHttp(key: string, value: unknown): Promise<void> {
    const own = () => vscode.workspace.getConfiguration('http').inspect(key)?.globalValue;
    if (!isDeepStrictEqual(own(), value)) {
      const settings = vscode.workspace.getConfiguration('http');
      await settings.update(key, value, vscode.ConfigurationTarget.Global);
      await waitFor(() => isDeepStrictEqual(own(), value), `http.${key}`);
    }
  }

  /** The addresses of an agent behind a WebSocket, and of one behind streamable HTTP. */
  async function serveAgents(host: string): Promise<readonly string[]> {
    const socket = await webSocketServer(
      (opened) => {
        opened.on('message', (data) => opened.send(answer((data as Buffer).toString())));
      },
      undefined,
      certificate,
    );
    const http = await http2Server(({ stream, headers, body }) => {
      if (headers[':method'] === 'GET') {
        stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
      } else if (headers['acp-connection-id'] === undefined) {
        const own = { 'acp-connection-id': 'c', 'content-type': 'application/json' };
        stream.respond({ ':status': 200, ...own });
        stream.end(answer(body));
      } else {
        stream.respond({ ':status': 202 }, { endStream: true });
      }
    }, certificate);
    return [socket, http].map(({ href }) => href.replace('127.0.0.1', host));
  }

  async function serveRegistry(host: string): Promise<string> {
    const server = createHttps(certificate, (_, response) => response.end(registryOf()));
    return (await listening(server, 'https')).href.replace('127.0.0.1', host);
  }

  /** What comes of connecting: nothing, or what is wrong. */
  async function connected(urls: readonly string[]): Promise<(Trouble | undefined)[]> {
    const ids = ['socket', 'http'];
    const entries = ids.map((id, index) => [id, { title: id, url: urls[index] ?? '' }] as const);
    await bench.setAgents(Object.fromEntries(entries));
    const connecting = ids.map(async (id) => bench.api.agents.get(id)?.connect());
    const outcomes = await Promise.allSettled(connecting);
    return outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as Trouble) : undefined,
    );
  }

  function fetched(address: string): Promise<unknown> {
    return fetchRegistry({
      address,
      etag: undefined,
      patience: 20_000,
      signal: new AbortController().signal,
      fetch: globalThis.fetch,
      lookup: () => Promise.reject(new Error('not looked up')),
    });
  }

  it('SEC-152: trusts the authorities of the system', async () => {
    assert.deepEqual(await connected(await serveAgents('127.0.0.1')), [undefined, undefined]);
    await fetched(await serveRegistry('127.0.0.1'));
  });

  it('SEC-153: goes through the proxy, unless it is none for the host', async () => {
    await setHttp('proxy', proxy.address());
    const agents = await serveAgents(serverName);
    const registry = await serveRegistry(serverName);
    assert.deepEqual(await connected(agents), [undefined, undefined]);
    await fetched(registry);
    const hosts = [...agents, registry].map((address) => new URL(address).host);
    assert.deepEqual([...proxy.asked].sort(), hosts.sort());
    await setHttp('noProxy', [serverName]);
    await bench.setAgents({});
    const troubles = (await connected(agents)).map((error) => error?.facts.trouble);
    assert.deepEqual(troubles, ['lookup', 'lookup']);
    assert.equal(proxy.asked.length, hosts.length);
  });

  it('SEC-153: says that the proxy refuses or is gone, without its password', async () => {
    await setHttp('proxy', proxy.address('me:pass-word@'));
    const agents = await serveAgents(serverName);
    const registry = await serveRegistry(serverName);
    const refused = async (status: number): Promise<unknown[]> => {
      proxy.refusal = status;
      await bench.setAgents({});
      const errors = await connected(agents);
      assert.ok(errors.every((error) => error?.message.includes(`HTTP ${status}`)));
      return errors.map((error) => error?.facts.trouble);
    };
    assert.deepEqual(await refused(502), ['proxy', 'proxy']);
    await assert.rejects(fetched(registry), /The proxy refused the request \(502\)/);
    assert.deepEqual(await refused(407), ['proxyLogin', 'proxyLogin']);
    await assert.rejects(fetched(registry), /The proxy wants a sign-in \(407\)/);

    await proxy.close();
    await bench.setAgents({});
    for (const error of await connected(agents)) {
      assert.equal(error?.facts.trouble, 'proxy');
      assert.doesNotMatch(`${String(error)} ${String(error.cause)}`, /pass-word/);
    }
  });
});

/** An agent without sessions. */
function answer(text: string): string {
  const { id } = JSON.parse(text) as { id?: number };
  const result = { protocolVersion: 1, agentCapabilities: {} };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}
