import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Pickers } from './pickers';
import { Bench, fakeEntry, waitFor, workspaceFolder } from './support';

describe('Go to Session', () => {
  let bench: Bench;
  let pickers: Pickers;
  beforeEach(async () => {
    bench = await Bench.create();
    pickers = new Pickers();
  });
  afterEach(async () => {
    pickers.dispose();
    await bench.dispose();
  });

  async function listCalls(): Promise<number> {
    const received = await bench.received('log');
    return received.filter(({ method }) => method === 'session/list').length;
  }

  it('reads further pages while it is open, and opens what is chosen', async () => {
    const sessions = { count: 7, cwd: workspaceFolder() };
    await bench.setAgents({
      a: fakeEntry('A', { sessions, pageSize: 3, record: bench.file('log') }),
    });
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    await waitFor(async () => (await listCalls()) === 3, 'all pages to be read');
    await pickers.accept(done);
    const chosen = await waitFor(() => bench.api.sessions.all[0], 'a session to be opened');
    assert.equal(chosen.title, 'Session 0001');
  });

  it('looks through all folders while the view shows them', async () => {
    const elsewhere = { sessionId: 'far', cwd: bench.folder, title: 'Far away' };
    await bench.setAgents({ a: fakeEntry('A', { sessions: [elsewhere] }) });
    await vscode.commands.executeCommand('acpSessions.sessions.showAllFolders');
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    await pickers.accept(done);
    const chosen = await waitFor(() => bench.api.sessions.all[0], 'a session to be opened');
    await vscode.commands.executeCommand('acpSessions.sessions.showWorkspaceFolders');
    assert.equal(chosen.title, 'Far away');
  });

  it('stops reading when it is closed', async () => {
    const sessions = { count: 500, cwd: workspaceFolder() };
    await bench.setAgents({
      a: fakeEntry('A', { sessions, pageSize: 1, record: bench.file('log') }),
    });
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    await waitFor(async () => (await listCalls()) > 3, 'some pages to be read');
    await pickers.close();
    await done;
    const list = bench.api.agents.all[0]?.sessionList({ name: '', path: workspaceFolder() });
    await waitFor(() => list?.more.kind === 'ready', 'the page that was on its way');
    assert.ok((list?.rows.length ?? 0) < 500);
    assert.deepEqual(bench.api.sessions.all, []);
  });
});
