import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import type { Session } from '../../../src/model/session/session';
import { isObject, type JsonObject } from '../../../src/util/json';
import { type Step, update as said } from '../../fakeAgent/scenario';
import { endServers, webSocketServer } from '../../support/remoteServers';
import {
  type ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  waitingPermission,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

/** An agent on another machine, where the workspace folder is called `/srv/app`. */
class FarAgent {
  /** The servers that its sessions were given. */
  readonly given: JsonObject[][] = [];
  readonly #answers = new Map<unknown, (answer: JsonObject) => void>();
  #socket: WebSocket | undefined;
  #asked = 0;

  listen(): Promise<URL> {
    return webSocketServer((socket) => {
      this.#socket = socket;
      socket.on('message', (data) =>
        this.#receive(JSON.parse((data as Buffer).toString()) as JsonObject),
      );
    });
  }

  /** What the server of its newest session answers; the error of `mcp/message` has a code. */
  async ask(method: string, params: object = {}): Promise<JsonObject> {
    const [server] = this.given.at(-1) ?? [];
    const id = `far-${this.#asked++}`;
    const answered = new Promise<JsonObject>((resolve) => this.#answers.set(id, resolve));
    const asked = { serverId: server?.['serverId'], requestId: id, method, params };
    this.#send({ id, method: 'mcp/message', params: asked });
    const { result, error } = await answered;
    return isObject(error) ? error : (((result as JsonObject)['result'] ?? {}) as JsonObject);
  }

  async call(name: string, args: object = {}): Promise<string> {
    return JSON.stringify(await this.ask('tools/call', { name, arguments: args }));
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #receive({ id, method, params, ...answer }: JsonObject): void {
    if (method === undefined) {
      this.#answers.get(id)?.(answer);
      return;
    }
    if (method === 'session/new') {
      this.given.push((params as { mcpServers: JsonObject[] }).mcpServers);
    }
    const agentCapabilities = { mcpCapabilities: { acp: true, http: true } };
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: 1, agentCapabilities },
      'session/new': { sessionId: `new-${this.given.length}` },
    };
    if (id !== undefined) {
      this.#send({ id, result: (typeof method === 'string' && results[method]) || {} });
    }
  }
}

describe('the tools of the editor for an agent on another machine', () => {
  let bench: ExtensionBench;
  let far: FarAgent;
  let url: URL;
  const file = (): string => path.join(workspaceFolder(), 'far.ts');
  useBench((made) => {
    bench = made;
  });
  beforeEach(async () => {
    far = new FarAgent();
    url = await far.listen();
    await writeFile(file(), 'total;\n');
  });
  afterEach(async () => {
    await rm(file(), { force: true });
    await update('editorTools', undefined);
    await endServers();
  });

  const entry = (more: { readonly editorToolsFor?: string } = {}) => ({
    ...{ title: 'Far', url: url.href, ...more },
    pathMappings: [{ theirs: '/srv/app', ours: workspaceFolder() }],
  });

  function ofWorkspace(agents: object | undefined): Thenable<void> {
    return vscode.workspace
      .getConfiguration('acpSessions')
      .update('agents', agents, vscode.ConfigurationTarget.Workspace);
  }

  async function begin(more: { readonly editorToolsFor?: string } = {}): Promise<Session> {
    await bench.setAgents({ far: entry(more) });
    const agent = bench.api.agents.get('far');
    assert.ok(agent);
    return bench.api.sessions.create(agent, { name: 'work', path: workspaceFolder() });
  }

  it('SEC-290: has none, unless the user’s own settings name its address', async () => {
    await begin();
    await begin({ editorToolsFor: 'wss://other.example/acp' });
    await ofWorkspace({ far: entry({ editorToolsFor: url.href }) });
    await begin();
    await ofWorkspace(undefined);
    assert.deepEqual(far.given, [[], [], []]);
    assert.equal((await far.ask('tools/list'))['code'], -32602);
    await begin({ editorToolsFor: url.href });
    const [[server] = []] = far.given.slice(-1);
    assert.deepEqual([server?.['type'], server?.['name']], ['acp', 'vscode_editor']);
    assert.match(JSON.stringify(await far.ask('tools/list')), /"problems"/);
    await bench.setAgents({ far: entry() });
    assert.equal((await far.ask('tools/list'))['code'], -33001);
  });

  it('SEC-193, SEC-290: it names files as its machine does, and learns nothing of others', async () => {
    await begin({ editorToolsFor: url.href });
    for (const name of ['/srv/app/far.ts', 'far.ts']) {
      assert.match(await far.call('show', { path: name }), /Shown: far\.ts/);
    }
    for (const name of ['/etc/passwd', '/srv/app/../../etc/passwd', file(), '../../etc/passwd']) {
      const said = await far.call('show', { path: name });
      assert.match(said, /outside this session's folders/);
    }
  });

  it('SEC-224, SEC-290: a tool that acts asks the user, as for any agent', async () => {
    const command = vscode.commands.registerCommand('testing.run.uri', () => {
      assert.fail('The user said no');
    });
    await update('editorTools', 'all');
    const session = await begin({ editorToolsFor: url.href });
    const pending = far.call('run_tests', { path: '/srv/app/far.ts' });
    const { requestId } = await waitFor(() => waitingPermission(session), 'the question');
    session.requests.answerPermission(requestId, 'reject_once');
    assert.match(await pending, /rejected/);
    command.dispose();
  });

  it('SEC-281, SEC-290: it sees the tasks of its folders, and runs none without a yes', async () => {
    const folder = path.join(workspaceFolder(), '.vscode');
    const touched = path.join(workspaceFolder(), 'touched');
    const tasks = [{ label: 'touch', type: 'process', command: 'touch', args: [touched] }];
    await mkdir(folder);
    try {
      await writeFile(path.join(folder, 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
      await update('editorTools', 'all');
      const session = await begin({ editorToolsFor: url.href });
      assert.match(await far.call('run_task'), /1 tasks:\\n {2}touch/);
      const pending = far.call('run_task', { task: 'touch' });
      const { requestId, toolCall } = await waitFor(
        () => waitingPermission(session),
        'the question',
      );
      assert.equal(toolCall.title, 'Task “touch”');
      session.requests.answerPermission(requestId, 'reject_once');
      assert.match(await pending, /rejected/);
      await assert.rejects(stat(touched));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the tools of the editor for an agent here that takes no HTTP', () => {
  let bench: ExtensionBench;
  useBench((made) => {
    bench = made;
  });

  it('are reached by its connection', async () => {
    const agentCapabilities = { mcpCapabilities: { acp: true } };
    const turn: readonly Step[] = [
      { callTool: 'open_editors' },
      { update: said.agent('$answerText') },
      { result: { stopReason: 'end_turn' } },
    ];
    const scenario = { initialize: { agentCapabilities }, on: { 'session/prompt': turn } };
    await bench.setAgents({ fake: fakeEntry('Fake', scenario) });
    const agent = bench.api.agents.get('fake');
    assert.ok(agent);
    const place = { name: 'work', path: workspaceFolder() };
    const session = await bench.api.sessions.create(agent, place);
    session.turns.submit({ text: 'Which are open?', attachments: [] });
    await waitFor(() => session.turns.current.kind === 'idle', 'the end of the turn');
    const entries = JSON.stringify(session.transcript.entries);
    assert.match(entries, /resultType/);
    assert.match(entries, /editors/);
  });
});
