import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { EditorServers } from '../../../../../src/features/editorTools/model/editorServers';
import type { EditorTool } from '../../../../../src/features/editorTools/model/tool';
import { ToolFacts } from '../../../../../src/features/editorTools/model/toolFacts';
import { ToolServer } from '../../../../../src/features/editorTools/model/toolServer';
import type { McpServer } from '../../../../../src/protocol/agentConnection';
import { inProject } from '../../../../support/project';
import { servedSession } from '../../../../support/servedSession';
import { allCapabilities, silentLog } from '../../../model/fakes';

const who: EditorTool = {
  ...{ name: 'who', description: 'Says whose it is.', properties: {} },
  run: (_args, { sessionId }) => Promise.resolve(sessionId),
};
type Stdio = Extract<McpServer, { type: 'stdio' }>;

describe('the bridge to the editor’s tools', () => {
  const running: ChildProcess[] = [];
  let servers: EditorServers;
  let held: string[];
  beforeEach(() => {
    held = [];
    servers = new EditorServers({
      isOn: () => true,
      load: () => Promise.resolve(new ToolServer({ tools: [who], version: '1', log: silentLog })),
      bridge: {
        command: process.execPath,
        args: [inProject('dist/mcpBridge.js')],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
      held: { addSecrets: (values) => void held.push(...values) },
      facts: new ToolFacts(),
      log: silentLog,
    });
  });
  afterEach(() => {
    servers.dispose();
    for (const program of running.splice(0)) {
      program.kill();
    }
  });

  async function offered() {
    const capabilities = { ...allCapabilities, mcpHttp: false, mcpAcp: false };
    const offer = await servers.offer({ agentId: 'a', capabilities, taken: [] });
    assert.ok(offer?.server.type === 'stdio');
    return { offer, server: offer.server };
  }

  /** Starts it as an agent does, and says what it answers to these lines. */
  function start({ command, args, env }: Stdio) {
    const program = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    running.push(program);
    const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<{ id: unknown; result?: unknown; error?: unknown }> =>
      JSON.parse((await answers.next()).value as string) as { id: unknown };
    return { program, send: (text: string) => program.stdin.write(`${text}\n`), next };
  }

  const message = (id: number, method: string, params: object = {}): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });

  it('SEC-212: is offered to agents that take no http, with the token where nobody else sees it', async () => {
    const { offer, server } = await offered();
    assert.equal(server.name, 'vscode_editor');
    assert.equal(held.length, 1);
    assert.ok(Object.values(server.env).includes(held[0]!));
    assert.ok(![server.command, ...server.args].some((text) => text.includes(held[0]!)));
    const neither = { ...allCapabilities, mcpHttp: false, mcpStdio: false, mcpAcp: false };
    assert.equal(
      await servers.offer({ agentId: 'a', capabilities: neither, taken: [] }),
      undefined,
    );
    offer.withdraw();
  });

  it('lists and calls the tools of its session, answers each request, and ends with its input', async () => {
    const { offer, server } = await offered();
    const { program, send, next } = start(server);
    send(message(1, 'tools/list'));
    assert.match(JSON.stringify(await next()), /"name":"who"/);
    assert.equal(offer.isConnected(), true);
    send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    send(message(2, 'tools/call', { name: 'who', arguments: {} }));
    offer.opened(servedSession({ sessionId: 'mine' }));
    const called = await next();
    assert.equal(called.id, 2);
    assert.match(JSON.stringify(called.result), /"mine"/);
    const many = Array.from({ length: 100 }, (_, at) => at + 3);
    for (const id of many) {
      send(message(id, 'ping'));
    }
    const ids: unknown[] = [];
    for (const _ of many) {
      ids.push((await next()).id);
    }
    assert.deepEqual(new Set(ids), new Set(many));
    program.stdin.end();
    const [code] = (await once(program, 'exit')) as [number];
    assert.equal(code, 0);
  });

  it('SEC-212: says that it is refused once the session is closed, and survives what is no message', async () => {
    const { offer, server } = await offered();
    const { send, next } = start(server);
    send('{');
    send('x'.repeat(3_000_000));
    offer.withdraw();
    send(message(1, 'tools/list'));
    const { id, error } = await next();
    assert.equal(id, 1);
    assert.match(JSON.stringify(error), /refuses this: 401/);
  });
});
