import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Step } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import { ExtensionBench, fakeEntry, waitFor, workspaceFolder } from '../../vscode/harness/support';

describe('Go to Session', () => {
  let bench: ExtensionBench;
  let pickers: Pickers;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
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

  it('reads further pages while it is open, and opens the chosen session', async () => {
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
    bench.api.choices.setScope('all');
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    await pickers.accept(done);
    const chosen = await waitFor(() => bench.api.sessions.all[0], 'a session to be opened');
    assert.equal(chosen.title, 'Far away');
  });

  it('forgets a session that only this window lists, after a question, and no other', async () => {
    const dialogs = new Dialogs();
    const capabilities = { agentCapabilities: { loadSession: true } };
    const sessions = [{ sessionId: 's1', cwd: workspaceFolder(), title: 'Listed' }];
    const steps = [
      { update: { sessionUpdate: 'session_info_update', title: 'Kept here' } },
      { result: { stopReason: 'end_turn' } },
    ];
    await bench.setAgents({
      a: fakeEntry('A', { initialize: capabilities, on: { 'session/prompt': steps } }),
      b: fakeEntry('B', { sessions }),
    });
    const [agent] = bench.api.agents.all;
    assert.ok(agent);
    const folder = { name: '', path: workspaceFolder() };
    const session = await bench.api.sessions.create(agent, folder);
    bench.nodes();
    await agent.lists.of(folder).load();
    session.turns.submit({ text: 'Water the ferns', attachments: [] });
    await bench.session('Kept here');
    await bench.session('Listed');

    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    const shown = await pickers.made();
    const rowOf = (title: string): vscode.QuickPickItem | undefined =>
      shown.items.find(({ label }) => label === title);
    const tooltips = (title: string) => rowOf(title)?.buttons?.map(({ tooltip }) => tooltip);
    await waitFor(() => tooltips('Kept here'), 'its buttons');
    assert.deepEqual(tooltips('Kept here'), ['Open to the Side', 'Pin', 'Forget…']);
    assert.deepEqual(tooltips('Listed'), ['Open to the Side', 'Pin']);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Forget');
    const item = rowOf('Kept here');
    assert.ok(item);
    pickers.press(item, 'Forget…');
    await waitFor(() => rowOf('Kept here') === undefined, 'the row to go');
    assert.deepEqual(dialogs.texts('warning'), ['Forget the session “Kept here” (A)?']);
    assert.ok(!bench.labels().includes('Kept here'));
    let isClosed = false;
    void Promise.resolve(done).finally(() => {
      isClosed = true;
    });
    // It comes back after the question, maybe later than its rows have changed.
    await waitFor(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isClosed;
    }, 'the list to close');
    await done;
    dialogs.dispose();
  });

  it('closes and says so when a session can’t be pinned', async () => {
    const dialogs = new Dialogs();
    const restorePin = replaceMember(bench.api.marks, 'setPinned', () =>
      Promise.reject(new Error('no disk')),
    );
    const sessions = [{ sessionId: 's1', cwd: workspaceFolder(), title: 'Listed' }];
    await bench.setAgents({ b: fakeEntry('B', { sessions }) });
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    const picker = await pickers.made();
    const item = await waitFor(
      () => picker.items.find(({ label, buttons }) => label === 'Listed' && buttons?.length),
      'the row with its buttons',
    );
    pickers.press(item, 'Pin');
    await done;
    await waitFor(() => dialogs.texts('error').length > 0, 'the message');
    assert.match(dialogs.texts('error').join(), /Something went wrong/);
    restorePin();
    dialogs.dispose();
  });

  it('stops reading when it is closed', async () => {
    // The agent holds the third page back until the picker is closed: it can't have sent them all before.
    const page = (at: number): readonly Step[] => [
      ...(at === 2 ? [{ waitForFile: bench.file('closed') }] : []),
      {
        result: {
          sessions: [{ sessionId: `s${at}`, cwd: workspaceFolder(), title: `Session ${at}` }],
          nextCursor: `after ${at}`,
        },
      },
    ];
    const pages = Array.from({ length: 500 }, (_, at) => page(at));
    await bench.setAgents({
      a: fakeEntry('A', { on: { 'session/list': pages }, record: bench.file('log') }),
    });
    const done = vscode.commands.executeCommand('acpSessions.session.goTo');
    await waitFor(async () => (await listCalls()) > 2, 'the page that is held back');
    await pickers.close();
    await done;
    const list = bench.api.agents.all[0]?.lists.of({ name: '', path: workspaceFolder() });
    assert.equal(list?.more.kind, 'loading');
    await writeFile(bench.file('closed'), '');
    await waitFor(() => list.more.kind === 'ready', 'the page that was on its way');
    // One further page may have been requested along with it.
    assert.ok(list.rows.length >= 3 && (await listCalls()) <= 4);
    assert.deepEqual(bench.api.sessions.all, []);
  });
});
