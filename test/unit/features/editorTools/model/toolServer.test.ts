import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { EditorServers } from '../../../../../src/features/editorTools/model/editorServers';
import { type EditorTool, maxAnswer } from '../../../../../src/features/editorTools/model/tool';
import { ToolFacts } from '../../../../../src/features/editorTools/model/toolFacts';
import { type Reached, ToolServer } from '../../../../../src/features/editorTools/model/toolServer';
import { deferred } from '../../../../../src/util/async';
import { servedSession } from '../../../../support/servedSession';
import { until } from '../../../../support/until';
import { allCapabilities, silentLog } from '../../../model/fakes';

const limits = { maxBody: 10_000, arrivalMs: 30_000, idleMs: 20 };
const call = (name: string, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});

function tool(name: string, run: EditorTool['run']): EditorTool {
  return { name, description: 'Says something.', properties: {}, run };
}

const who = tool('who', (_args, { sessionId }) => Promise.resolve(sessionId));

interface Posted {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a message to the server as it is. */
function post(
  { url, offer }: Reached,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${offer.token}`,
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

describe('the server of the editor’s tools', () => {
  const servers: ToolServer[] = [];
  function create(tools: readonly EditorTool[] = [who], options: object = {}): ToolServer {
    const server = new ToolServer({ tools, version: '1', log: silentLog, limits, ...options });
    servers.push(server);
    return server;
  }
  async function bound(server: ToolServer, sessionId = 's'): Promise<Reached> {
    const reached = await server.offer();
    reached.offer.bind(servedSession({ sessionId }));
    return reached;
  }
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.dispose();
    }
  });

  it('SEC-222: has the tools that act only while the setting says so', async () => {
    let mayAct = true;
    const acting: EditorTool = { ...who, name: 'act', acts: true };
    const reached = await bound(create([who, acting], { mayAct: () => mayAct }));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { text } = await post(reached, list);
    const { result } = JSON.parse(text) as {
      result: { tools: { name: string; annotations: { readOnlyHint: boolean } }[] };
    };
    assert.deepEqual(
      result.tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
      [
        ['who', true],
        ['act', false],
      ],
    );
    mayAct = false;
    assert.ok(!(await post(reached, list)).text.includes('act"'));
    assert.match((await post(reached, call('act'))).text, /There is no tool/);
    const usual = await bound(create([who, acting]));
    assert.match((await post(usual, call('act'))).text, /There is no tool/);
  });

  it('is understood by a client of the protocol', async () => {
    const { url, offer } = await bound(create());
    const client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${offer.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [['who', true]],
    );
    const { content } = await client.callTool({ name: 'who', arguments: {} });
    assert.deepEqual(content, [{ type: 'text', text: 's' }]);
    assert.ok((client.getInstructions()?.length ?? 0) <= 500);
    await client.close();
  });

  it('twelve sessions share one, and each is answered for itself', async () => {
    const server = create();
    const all = await Promise.all(Array.from({ length: 12 }, (_, at) => bound(server, `s${at}`)));
    assert.equal(new Set(all.map(({ url }) => url)).size, 1);
    assert.equal(new Set(all.map(({ offer }) => offer.token)).size, 12);
    const answers = await Promise.all(all.map((reached) => post(reached, call('who'))));
    assert.ok(answers.every(({ text }, at) => text.includes(`"text":"s${at}"`)));
  });

  it('SEC-190: refuses who has no token, or that of a session that is closed', async () => {
    const server = create();
    const [first, second] = [await bound(server), await bound(server, 'other')];
    for (const authorization of ['', 'Bearer ', `Bearer ${'x'.repeat(43)}`, first.offer.token]) {
      const { status, text } = await post(first, call('who'), { authorization });
      assert.equal(status, 401);
      assert.ok(!text.includes('result'));
    }
    server.withdraw(first.offer);
    assert.equal((await post(first, call('who'))).status, 401);
    assert.equal((await post(second, call('who'))).status, 200);
  });

  it('SEC-190: a token reaches only its own session', async () => {
    const server = create();
    const [first, second] = [await bound(server, 'mine'), await bound(server, 'other')];
    const mixed = { url: second.url, offer: first.offer };
    const { text } = await post(mixed, call('who'), { 'mcp-session-id': 'other' });
    assert.match(text, /"text":"mine"/);
  });

  it('SEC-191: refuses pages: another host, any origin, and what a form can send', async () => {
    const reached = await bound(create());
    const { port, host } = new URL(reached.url);
    const refused: readonly (readonly [Record<string, string>, number])[] = [
      [{ host: `evil.example:${port}` }, 403],
      [{ host: '127.0.0.1:1' }, 403],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: `http://${host}` }, 403],
      [{ origin: 'null' }, 403],
      [{ 'content-type': 'text/plain' }, 415],
    ];
    for (const [headers, expected] of refused) {
      assert.equal((await post(reached, call('who'), headers)).status, expected);
    }
    assert.equal((await post(reached, call('who'), { host: `localhost:${port}` })).status, 200);
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      assert.equal((await post(reached, '', {}, method)).status, 405);
    }
  });

  it('SEC-192: refuses another user of the machine', async () => {
    const reached = await bound(create([who], { isOwn: () => Promise.resolve(false) }));
    assert.equal((await post(reached, call('who'))).status, 403);
  });

  it('SEC-194: refuses bodies that are too long, no JSON, no message, or several', async () => {
    const reached = await bound(create());
    const long = { ...call('who'), params: { name: 'who', arguments: { a: 'x'.repeat(20_000) } } };
    assert.equal((await post(reached, long)).status, 413);
    for (const body of ['', '{', '"x"', '{}', [call('who'), call('who', 2)]]) {
      assert.equal((await post(reached, body)).status, 400);
    }
  });

  it('SEC-194: gives up on a body that doesn’t come', async () => {
    const hasty = { limits: { ...limits, arrivalMs: 200 } };
    const { url, offer } = await bound(create([who], hasty));
    const { port, host } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${offer.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    socket.on('error', () => undefined);
    socket.resume();
    await until(() => isClosed);
  });

  it('answers initialize and tools/list before the session is open; calls wait for it', async () => {
    const reached = await create().offer();
    assert.equal(reached.offer.listed, undefined);
    const list = await post(reached, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    assert.match(list.text, /"name":"who"/);
    assert.deepEqual(reached.offer.listed, ['who']);
    const pending = post(reached, call('who'));
    reached.offer.bind(servedSession({ sessionId: 'late' }));
    assert.match((await pending).text, /"text":"late"/);
  });

  it('SEC-194: says what fails, without what the failure was, and cuts what is too long', async () => {
    const tools = [
      tool('breaks', () => Promise.reject(new Error('/home/me/secret'))),
      tool('talks', () => Promise.resolve('x'.repeat(2 * maxAnswer))),
    ];
    const reached = await bound(create(tools));
    const { text } = await post(reached, call('breaks'));
    assert.match(text, /"isError":true/);
    assert.ok(!text.includes('secret'));
    assert.match((await post(reached, call('none'))).text, /There is no tool/);
    const long = await post(reached, call('talks'));
    assert.match(long.text, /The rest is left out/);
    assert.ok(long.text.length < maxAnswer * 1.1);
    const unknown = await post(reached, { jsonrpc: '2.0', id: 1, method: 'server/discover' });
    assert.match(unknown.text, /-32601/);
  });

  it('SEC-194: runs eight calls of a session at once, and ends those that are canceled', async () => {
    const gate = deferred<string>();
    const signals: AbortSignal[] = [];
    const waits = tool('waits', (_args, _session, signal) => {
      signals.push(signal);
      return gate.promise;
    });
    const server = create([waits]);
    const reached = await bound(server);
    const calls = Array.from({ length: 8 }, (_, at) => post(reached, call('waits', at)));
    await until(() => signals.length === 8);
    assert.match((await post(reached, call('waits', 9))).text, /At most 8 calls/);
    const params = { requestId: 3 };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    assert.equal((await post(reached, cancel)).status, 202);
    assert.match((await calls[3]!).text, /canceled/);
    assert.equal(signals.filter(({ aborted }) => aborted).length, 1);
    server.withdraw(reached.offer);
    await Promise.all(calls);
    assert.ok(signals.every(({ aborted }) => aborted));
  });

  it('ends when no session needs it any more, and starts again for the next', async () => {
    const server = create();
    const first = await bound(server);
    server.withdraw(first.offer);
    let isGone = false;
    await until(() => {
      post(first, call('who')).catch(() => {
        isGone = true;
      });
      return isGone;
    });
    assert.equal((await post(await bound(server), call('who'))).status, 200);
  });
});

describe('who is offered the editor’s tools', () => {
  function offers(options: { isOn?: boolean; load?: () => Promise<ToolServer> } = {}) {
    let loads = 0;
    const held: string[] = [];
    const server = new ToolServer({ tools: [who], version: '1', log: silentLog, limits });
    const made = new EditorServers({
      isOn: () => options.isOn ?? true,
      load: () => {
        loads += 1;
        return options.load?.() ?? Promise.resolve(server);
      },
      held: {
        addSecrets: (values) => {
          held.push(...values);
        },
      },
      bridge: { command: '/node', args: [], env: {} },
      facts: new ToolFacts(),
      log: silentLog,
    });
    return { made, held, loads: () => loads };
  }

  it('nothing is loaded until an agent that connects to servers opens a session', async () => {
    const { made, held, loads } = offers();
    const capabilities = { ...allCapabilities, mcpHttp: false, mcpStdio: false, mcpAcp: false };
    assert.equal(await made.offer({ agentId: 'a', capabilities, taken: [] }), undefined);
    assert.equal(loads(), 0);
    const offered = await Promise.all(
      [[], ['vscode_editor'], ['vscode_editor2', 'vscode_editor']].map((taken) =>
        made.offer({ agentId: 'a', capabilities: allCapabilities, taken }),
      ),
    );
    assert.equal(loads(), 1);
    assert.deepEqual(
      offered.map((offer) => offer?.server.name),
      ['vscode_editor', 'vscode_editor2', undefined],
    );
    const { server } = offered[0]!;
    assert.ok(server.type === 'http');
    assert.deepEqual(server.headers, { Authorization: `Bearer ${held[0]}` });
    made.dispose();
    assert.equal(
      await made.offer({ agentId: 'a', capabilities: allCapabilities, taken: [] }),
      undefined,
    );
  });

  it('SEC-290: over HTTP where the agent takes that, else by its connection, else by a program; from elsewhere only the second', async () => {
    const { made } = offers();
    const kinds: unknown[] = [];
    for (const isElsewhere of [false, true]) {
      for (const [mcpHttp, mcpAcp, mcpStdio] of [
        [true, true, true],
        [false, true, true],
        [false, false, true],
        [true, false, true],
      ] as const) {
        const capabilities = { ...allCapabilities, mcpHttp, mcpAcp, mcpStdio };
        const to = { agentId: 'a', capabilities, taken: [], isElsewhere };
        kinds.push((await made.offer(to))?.server.type);
      }
    }
    assert.deepEqual(kinds, [
      ...['http', 'acp', 'stdio', 'http'],
      ...['acp', 'acp', undefined, undefined],
    ]);
    made.dispose();
  });

  it('an agent that asks the user itself gets no tool for that', async () => {
    const tools = [{ ...who, name: 'ask_user' }, who];
    const server = new ToolServer({ tools, version: '1', log: silentLog, limits });
    const { made } = offers({ load: () => Promise.resolve(server) });
    const listed: string[] = [];
    for (const agentName of [undefined, '@agentclientprotocol/claude-agent-acp', 'codex-acp']) {
      const to = { agentId: 'a', capabilities: allCapabilities, taken: [], agentName };
      const offered = (await made.offer(to))?.server;
      assert.ok(offered?.type === 'http');
      const answer = await fetch(offered.url, {
        method: 'POST',
        headers: { ...offered.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      listed.push((await answer.text()).match(/"name":"\w+"/g)?.join() ?? '');
    }
    assert.deepEqual(listed, ['"name":"ask_user","name":"who"', '"name":"who"', '"name":"who"']);
    made.dispose();
  });

  it('none are offered when they are off, or can’t be loaded: the session opens without', async () => {
    const to = { agentId: 'a', capabilities: allCapabilities, taken: [] };
    const off = offers({ isOn: false });
    assert.equal(await off.made.offer(to), undefined);
    assert.equal(off.loads(), 0);
    const broken = offers({ load: () => Promise.reject(new Error('a file is missing')) });
    assert.equal(await broken.made.offer(to), undefined);
    await broken.made.offer(to);
    assert.equal(broken.loads(), 2);
  });
});
