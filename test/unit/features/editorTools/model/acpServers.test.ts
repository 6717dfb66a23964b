import assert from 'node:assert/strict';
import {
  agent,
  isMcpServerAcp,
  McpOverAcpCaller,
  methods,
} from '@agentclientprotocol/sdk/unstable';
import type { EditorTool } from '../../../../../src/features/editorTools/model/tool';
import { ToolServer } from '../../../../../src/features/editorTools/model/toolServer';
import { AcpError } from '../../../../../src/protocol/errors';
import { getVersions } from '../../../../../src/protocol/versions';
import { deferred } from '../../../../../src/util/async';
import { inMemoryTransports } from '../../../../support/inMemoryTransport';
import { servedSession } from '../../../../support/servedSession';
import { until } from '../../../../support/until';
import { silentLog } from '../../../model/fakes';
import {
  ask,
  codeOf,
  connect,
  goodInitialize,
  Peer,
  type Raw,
  requestsWith,
} from '../../../protocol/peer';
import { streamOf } from '../../../protocol/sdkStream';

const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const initialize2 = {
  protocolVersion: 2,
  info: { name: 'two', version: '1' },
  capabilities: { session: { mcp: { acp: {} } } },
};

const who: EditorTool = {
  ...{ name: 'who', description: 'Says who asks.', properties: {} },
  run: (_args, { sessionId }) => Promise.resolve(sessionId),
};

/** An agent with a server of its own, and one of another agent; the connection to it is real. */
async function open(tools: readonly EditorTool[] = [who], initialize: Raw = goodInitialize()) {
  const { acp } = new ToolServer({ tools, version: '1', log: silentLog });
  const peer = new Peer(initialize);
  const { connection } = await connect(peer.client, {
    versions: getVersions(initialize['protocolVersion'] === 2 ? '2' : '1'),
    requests: requestsWith({ mcpMessage: (...request) => acp.answer('mine', ...request) }),
  });
  const { serverId, offer } = acp.offer('mine');
  let asked = 0;
  /** Sends a request, and gives the result of `mcp/message` or its error. */
  const send = (method: string, params?: object, more: Raw = {}, id = `q${asked++}`) =>
    ask(peer, 'mcp/message', { serverId, requestId: id, method, params, ...more }, id);
  const call = (name = 'who') => ['tools/call', { name, arguments: {}, _meta: modern }] as const;
  return { acp, peer, connection, serverId, offer, send, call };
}

const resultOf = (answer: Raw): Raw => (answer['result'] as { result: Raw }).result;

describe('the tools of the editor by an agent’s own connection', () => {
  for (const [version, initialize] of [
    ['1', goodInitialize()],
    ['2', initialize2],
  ] as const) {
    it(`says what it is, lists its tools and is called, in version ${version}`, async () => {
      const { offer, send, call } = await open([who], initialize);
      const found = resultOf(await send('server/discover', { _meta: modern }));
      assert.deepEqual(found['supportedVersions'], ['2026-07-28']);
      assert.deepEqual(found['capabilities'], { tools: {} });
      assert.match(String(found['instructions']), /editor/);
      const serverInfo = { name: 'vscode_editor', title: 'VS Code', version: '1' };
      assert.deepEqual(found['_meta'], { 'io.modelcontextprotocol/serverInfo': serverInfo });
      const list = resultOf(await send('tools/list', { _meta: modern }));
      const [tool] = list['tools'] as { name: string }[];
      assert.equal(tool?.name, 'who');
      for (const result of [found, list]) {
        const { resultType, ttlMs, cacheScope } = result;
        assert.deepEqual([resultType, ttlMs, cacheScope], ['complete', 0, 'private']);
      }
      assert.deepEqual(offer.listed, ['who']);
      const pending = send(...call());
      offer.bind(servedSession({ sessionId: 'late' }));
      const said = resultOf(await pending);
      assert.deepEqual(said['content'], [{ type: 'text', text: 'late' }]);
      assert.equal(said['resultType'], 'complete');
    });
  }

  it('an agent made with the SDK is given one, and asks it while it opens the session', async () => {
    const { acp } = new ToolServer({ tools: [who], version: '1', log: silentLog });
    const { serverId, offer } = acp.offer('mine');
    const [client, own] = inMemoryTransports();
    const caller = new McpOverAcpCaller({ clientInfo: { name: 'sdk', version: '1' } });
    const outcomes: unknown[] = [];
    const agentCapabilities = { mcpCapabilities: { acp: true } };
    agent({ name: 'sdk' })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities }))
      .onRequest(methods.agent.session.new, async ({ params: { mcpServers }, client: to }) => {
        const given = mcpServers.find(isMcpServerAcp)!;
        for (const method of ['server/discover', 'tools/list', 'tools/none']) {
          outcomes.push(await caller.request(to, given.serverId, method));
        }
        outcomes.push(await caller.request(to, given.serverId, 'tools/call', { name: 'who' }));
        await assert.rejects(caller.request(to, 'none', 'tools/list'), { code: -33001 });
        return { sessionId: 'n' };
      })
      .connect(streamOf(own, () => undefined));
    const { connection } = await connect(client, {
      requests: requestsWith({ mcpMessage: (...request) => acp.answer('mine', ...request) }),
    });
    offer.bind(servedSession({ sessionId: 'mine' }));
    const mcpServers = [{ type: 'acp', name: 'vscode_editor', serverId }] as const;
    await connection.newSession({ cwd: '/w', additionalDirectories: [], mcpServers });
    for (const [at, said] of [/2026-07-28/, /"name":"who"/, /-32601/, /"text":"mine"/].entries()) {
      assert.match(JSON.stringify(outcomes[at]), said);
    }
  });

  it('an agent that begins as in earlier revisions is answered, too; one of a later is told which there is', async () => {
    const { send } = await open();
    const clientInfo = { name: 'a', version: '1' };
    const begun = await send('initialize', {
      ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    assert.equal(resultOf(begun)['protocolVersion'], '2025-11-25');
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const { error } = (await send('tools/list', { _meta }))['result'] as { error: Raw };
    assert.equal(error['code'], -32022);
    assert.deepEqual(error['data'], { supported: ['2026-07-28'], requested: '2031-01-01' });
    const unknown = (await send('resources/list', { _meta: modern }))['result'] as { error: Raw };
    assert.equal(unknown.error['code'], -32601);
  });

  it('SEC-291: refuses the server of another agent, one that nobody has, and one whose session is closed', async () => {
    const { acp, offer, serverId, send, call } = await open();
    offer.bind(servedSession());
    const theirs = acp.offer('other');
    theirs.offer.bind(servedSession({ sessionId: 'secret' }));
    for (const other of [theirs.serverId, 'nobody', '']) {
      assert.equal(codeOf(await send(...call(), { serverId: other })), -33001);
    }
    assert.equal(theirs.offer.listed, undefined);
    assert.equal(theirs.offer.used.size, 0);
    acp.withdraw(serverId);
    assert.equal(codeOf(await send(...call())), -33001);
    assert.equal(offer.used.size, 0);
  });

  it('SEC-292: answers 16 requests at once, each id once; the rest is refused, and what is canceled ends', async () => {
    const gate = deferred<string>();
    const signals: AbortSignal[] = [];
    const waits: EditorTool = {
      ...{ ...who, name: 'waits' },
      run: (_args, _session, signal) => {
        signals.push(signal);
        return gate.promise;
      },
    };
    const { acp, peer, serverId, offer, send, call } = await open([waits]);
    const atOnce = await Promise.allSettled(
      Array.from({ length: 32 }, (_, at) =>
        acp.answer(
          'mine',
          { serverId, requestId: `${at}`, method: 'ping' },
          new AbortController().signal,
        ),
      ),
    );
    assert.deepEqual(
      atOnce.map((one) => (one.status === 'fulfilled' ? 'answered' : getReason(one.reason))),
      atOnce.map((_, at) => (at < 16 ? 'answered' : 'serverBusy')),
    );
    const all = Array.from({ length: 16 }, (_, at) => send(...call('waits'), {}, `call-${at}`));
    const busy = await Promise.all(all.slice(8));
    assert.ok(busy.every((answer) => /At most 8 calls/.test(JSON.stringify(resultOf(answer)))));
    assert.equal(codeOf(await send('ping', {}, { requestId: 'call-1' }, 'again')), -32602);
    offer.bind(servedSession());
    await until(() => signals.length === 8);
    peer.send({
      ...{ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'call-1' } },
    });
    assert.equal(codeOf(await all[1]!), -32800);
    assert.equal(signals.filter(({ aborted }) => aborted).length, 1);
    gate.resolve('done');
    assert.match(JSON.stringify(await all[0]), /"done"/);
    assert.equal(codeOf(await send('ping', { _meta: modern }, { requestId: 'call-1' })), undefined);
  });

  it('SEC-292: refuses params of twice the size, nested too deeply, or none at all', async () => {
    const { offer, send } = await open();
    offer.bind(servedSession());
    const call = (args: unknown) => send('tools/call', { name: 'who', arguments: { args } });
    assert.equal(codeOf(await call('x'.repeat(2_000_000))), -32602);
    let deep: unknown = 'x';
    for (let at = 0; at < 128; at++) {
      deep = [deep];
    }
    assert.equal(codeOf(await call(deep)), -32602);
    assert.equal(codeOf(await send('x'.repeat(400))), -32602);
    assert.equal(codeOf(await send('tools/list', undefined, { requestId: 7 })), -32602);
    assert.equal(codeOf(await send('tools/list', undefined, { params: [] })), -32602);
    assert.equal(codeOf(await send('tools/list', undefined, { params: null })), undefined);
    assert.equal(offer.used.size, 0);
  });

  it('a call that runs when its session is closed ends', async () => {
    let ended: AbortSignal | undefined;
    const waits: EditorTool = {
      ...{ ...who, name: 'waits' },
      run: (_args, _session, signal) => {
        ended = signal;
        return new Promise(() => undefined);
      },
    };
    const { acp, serverId, offer, send, call } = await open([waits]);
    offer.bind(servedSession());
    const pending = send(...call('waits'));
    await until(() => ended !== undefined);
    acp.withdraw(serverId);
    assert.match(JSON.stringify(await pending), /"isError":true/);
    assert.equal(ended?.aborted, true);
  });
});

function getReason(error: unknown): unknown {
  return error instanceof AcpError ? error.facts.reason : error;
}
