import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import type { JsonObject } from '../../../src/util/json';
import { endServers, webSocketServer } from '../../support/remoteServers';
import type { Dialogs } from '../../vscode/harness/dialogs';
import { type ExtensionBench, waitFor } from '../../vscode/harness/support';
import { beginSession } from './beginSession';
import { useBench } from './useBench';

const token = 'a-token-of-the-server';

describe('an agent on another machine', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });
  afterEach(async () => {
    await endServers();
  });

  it('SEC-148: asks for its token, shows its sessions, opens none of its paths, and comes back by itself', async () => {
    const sockets: WebSocket[] = [];
    const url = await webSocketServer((socket) => {
      sockets.push(socket);
      socket.on('message', (data) => answer(socket, (data as Buffer).toString()));
    }, token);
    await bench.setAgents({ far: { title: 'Far', url: url.href } });
    bench.nodes();
    const agent = bench.api.agents.get('far');
    assert.ok(agent);
    await waitFor(() => agent.state.kind === 'failed', 'the refusal');
    assert.ok(agent.state.kind === 'failed' && agent.state.failure.actions.includes('signIn'));

    dialogs.answer = ({ kind }) => (kind === 'input' ? token : undefined);
    await vscode.commands.executeCommand('acpSessions.agent.signIn', 'far');
    const node = await bench.session('There');
    assert.equal(node.row.info.cwd, `/[${url.host}]/srv/app`);
    await bench.api.places.gone.refresh();
    assert.doesNotMatch(String(bench.api.view.getTreeItem(node).description), /gone/);
    const settings = JSON.stringify(vscode.workspace.getConfiguration('acpSessions'));
    assert.ok(!settings.includes(token), 'the token is no setting');

    await vscode.commands.executeCommand('acpSessions.session.revealCwd', node);
    assert.match(dialogs.texts('warning').join(), /on another machine/);
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const session = await waitFor(() => bench.api.sessions.find('far', 's1'), 'the session');
    await waitFor(() => session.isLive && session.transcript.entries.length > 0, 'its history');

    sockets.at(-1)?.terminate();
    await waitFor(() => session.phase.kind === 'failed', 'the loss');
    await waitFor(() => session.isLive, 'its return');
    assert.equal(session.transcript.entries.length, 1);

    await vscode.commands.executeCommand('acpSessions.agent.signOut');
    assert.equal(await bench.api.tokens.get({ url: url.href }), undefined);
  });

  it('asks once where its new sessions begin, with the folders of its sessions, and goes on running', async () => {
    const asked: unknown[] = [];
    const url = await webSocketServer((socket) => {
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as JsonObject;
        if (message['method'] === 'session/new') asked.push(message['params']);
        answer(socket, (data as Buffer).toString());
      });
    });
    await bench.setAgents({ far: { title: 'Far', url: url.href } });
    await bench.session('There');
    const agent = bench.api.agents.get('far');
    dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[0] : undefined);
    await beginSession(bench.api);
    const [question] = dialogs.asked;
    assert.deepEqual(question?.choices, ['/srv/app', 'Another Folder…']);
    await waitFor(() => bench.api.sessions.all.some(({ isLive }) => isLive), 'the session');
    assert.deepEqual(asked, [{ cwd: '/srv/app', mcpServers: [] }]);
    assert.deepEqual(bench.api.settings.userAgents['far'], {
      ...{ title: 'Far', url: url.href, cwd: '/srv/app' },
    });
    await beginSession(bench.api);
    assert.equal(dialogs.asked.length, 1, 'the settings say it now');
    assert.equal(bench.api.agents.get('far'), agent, 'the same one goes on');
    assert.equal(asked.length, 2);
  });

  it('can be removed, with its token', async () => {
    const url = await webSocketServer((socket) => {
      socket.on('message', (data) => answer(socket, (data as Buffer).toString()));
    });
    await bench.api.tokens.store({ url: url.href }, token);
    await bench.setAgents({ far: { title: 'Far', url: url.href } });
    dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? 'Far' : choices[0]);
    await vscode.commands.executeCommand('acpSessions.agent.remove');
    assert.match(dialogs.asked.at(-1)?.detail ?? '', /its sessions on the machine/);
    assert.equal(bench.api.agents.get('far'), undefined);
    assert.equal(await bench.api.tokens.get({ url: url.href }), undefined);
  });
});

/** An agent with one session. */
function answer(socket: WebSocket, text: string): void {
  const { id, method } = JSON.parse(text) as { id?: number; method: string };
  if (method === 'session/load') {
    const content = { type: 'text', text: 'Hello' };
    const update = { sessionUpdate: 'agent_message_chunk', content };
    const params = { sessionId: 's1', update };
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
  }
  const capabilities = { loadSession: true, sessionCapabilities: { list: {} } };
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: 1, agentCapabilities: capabilities },
    'session/new': { sessionId: `new-${Number(id)}` },
    'session/list': { sessions: [{ sessionId: 's1', cwd: '/srv/app', title: 'There' }] },
  };
  if (id !== undefined) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  }
}
