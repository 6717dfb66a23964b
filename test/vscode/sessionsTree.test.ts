import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../src/views/sessions/nodes';
import { selectedRow } from '../../src/views/sessions/rowClicks';
import { Dialogs } from './dialogs';
import { Bench, extension, fakeEntry, listed, waitFor, workspaceFolder } from './support';

const titles = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Session ${String(index + 1).padStart(4, '0')}`);

describe('sessions view', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.create();
  });
  afterEach(() => bench.dispose());

  function item(node: SessionsNode): vscode.TreeItem {
    return bench.api.view.getTreeItem(node);
  }

  function tooltip(node: SessionsNode): string {
    const { tooltip: text } = bench.api.view.resolveTreeItem(item(node), node);
    assert.ok(typeof text === 'string', 'a text without any markup');
    return text;
  }

  it('starts no agent before its sessions are looked at', async () => {
    await bench.setAgents({ a: fakeEntry('A', {}), b: fakeEntry('B', {}) });
    const [first, second] = bench.api.view.getChildren();
    assert.ok(first && second);
    assert.deepEqual(
      bench.api.agents.all.map(({ state }) => state.kind),
      ['stopped', 'stopped'],
    );
    assert.equal(item(first).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.equal(item(second).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    bench.api.view.getChildren(first);
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the first agent');
    assert.equal(bench.api.agents.get('b')?.state.kind, 'stopped');
  });

  it('shows the sessions of the only agent at the top', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One\nand $(bug) two'), listed('s2', 'Two', 'not a date')],
      }),
    });
    const node = await bench.session('One and $(bug) two');
    const shown = item(node);
    assert.equal(shown.label, 'One and $(bug) two');
    assert.equal(shown.contextValue, 'session openable pinnable archivable readable');
    assert.match(tooltip(node), /Session: s1/);
    assert.deepEqual(bench.labels(), ['One and $(bug) two', 'Two']);
    const other = item(await bench.session('Two'));
    assert.equal(other.description, undefined, 'no time where there is none');
    assert.notEqual(shown.id, other.id);
  });

  it('opens the session of a row that is clicked while it is drawn anew', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    const node = await bench.session('One');
    const { command } = item(node);
    assert.ok(command);
    assert.equal(command.arguments, undefined, 'VS Code forgets them with the row as it was');
    await bench.api.view.click(node);
    assert.equal(bench.api.panels.active?.session.info.sessionId, 's1');
  });

  it('waits for the row that was clicked while VS Code draws all of them anew', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    const node = await bench.session('One');
    let looks = 0;
    const view = {
      get selection(): readonly SessionsNode[] {
        return ++looks > 3 ? [node] : [];
      },
    };
    assert.equal(await selectedRow(view), node);
  });

  it('reads one page for each expansion of "Older sessions"', async () => {
    const cwd = workspaceFolder();
    await bench.setAgents({
      a: fakeEntry('A', { sessions: { count: 7, cwd }, pageSize: 3, record: bench.file('log') }),
    });
    const older = await waitFor(
      () => bench.nodes().find(({ kind }) => kind === 'older'),
      'the node for older sessions',
    );
    assert.equal(item(older).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    const first = await bench.session('Session 0001');
    bench.api.view.getChildren(older);
    await bench.session('Session 0006');
    assert.deepEqual(bench.labels(), [...titles(6), 'Older sessions']);
    assert.equal(await bench.session('Session 0001'), first, 'rows keep their identity');
    bench.api.view.getChildren(older);
    const next = bench.nodes().at(-1);
    assert.ok(next?.kind === 'older' && next.id !== older.id);
    bench.api.view.getChildren(next);
    await bench.session('Session 0007');
    assert.deepEqual(bench.labels(), titles(7));
    const calls = await bench.received('log');
    assert.equal(calls.filter(({ method }) => method === 'session/list').length, 3);
  });

  it('offers to try again when a page fails', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        on: {
          'session/list': [
            [{ result: { sessions: [listed('s1', 'One')], nextCursor: 'more' } }],
            [{ error: { code: -32603, message: 'no luck' } }],
            [{ result: { sessions: [listed('s2', 'Two')] } }],
          ],
        },
      }),
    });
    const older = await waitFor(
      () => bench.nodes().find(({ kind }) => kind === 'older'),
      'the node for older sessions',
    );
    bench.api.view.getChildren(older);
    const failed = await bench.message('moreFailed');
    assert.equal(item(failed).label, "Couldn't load more. Retry");
    assert.deepEqual(bench.labels()[0], 'One', 'what is there stays');
    await vscode.commands.executeCommand('acpSessions.sessions.retry', failed);
    await bench.session('Two');
    assert.deepEqual(bench.labels(), ['One', 'Two']);
  });

  it('INFO-5: draws a row anew when its agent pushes a title', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One'), listed('s2', 'Two')],
        watch: [
          {
            file: bench.file('push'),
            steps: [
              { update: { sessionUpdate: 'session_info_update', title: 'New' }, sessionId: 's2' },
            ],
          },
        ],
      }),
    });
    const node = await bench.session('Two');
    let label: vscode.TreeItem['label'];
    const listener = bench.api.view.onDidChangeTreeData((nodes) => {
      // All of the tree, if something else changed within the same frame.
      label = nodes === undefined || nodes.includes(node) ? item(node).label : label;
    });
    await writeFile(bench.file('push'), '');
    await waitFor(() => label === 'New', 'the row to be drawn with its new title');
    listener.dispose();
  });

  it('says why an agent can’t be started, and what helps', async () => {
    await bench.setAgents({ a: { title: 'Gone', command: 'there-is-no-such-agent' } });
    const failed = await bench.message('failed');
    assert.equal(item(failed).label, 'Gone was not found');
    assert.match(item(failed).contextValue ?? '', /\bretry\b.*\bshowLog\b/);
    assert.match(tooltip(failed), /there-is-no-such-agent/);
    const dialogs = new Dialogs();
    await bench.api.view.click(failed);
    const [told] = dialogs.asked;
    assert.equal(told?.kind, 'error');
    assert.match(told.text, /^Gone was not found\. .*there-is-no-such-agent/);
    assert.deepEqual(told.choices, ['Retry', 'Show Log', 'Edit Agents']);
    dialogs.dispose();
  });

  it('shows an agent that died, and starts it again with Retry', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One')],
        watch: [{ file: bench.file('die'), steps: [{ exit: 3 }] }],
      }),
    });
    await bench.session('One');
    await writeFile(bench.file('die'), '');
    const failed = await bench.message('failed');
    assert.deepEqual(bench.labels().at(-1), 'One', 'what was read stays');
    await vscode.commands.executeCommand('acpSessions.sessions.retry', failed);
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the agent');
    await waitFor(() => bench.labels().join() === 'One', 'the line to go');
  });

  it('LIST-3: says calmly that an agent can’t list', async () => {
    await bench.setAgents({
      a: fakeEntry('A', { initialize: { agentCapabilities: { loadSession: true } } }),
    });
    const node = await bench.message('unsupported');
    assert.equal(item(node).label, "A can't list its sessions");
  });

  it('keeps a stopped agent stopped until it is asked for', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    await bench.session('One');
    await vscode.commands.executeCommand('acpSessions.agent.stop');
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'stopped', 'the agent to stop');
    assert.deepEqual(bench.labels(), ['One']);
    assert.equal(bench.api.agents.get('a')?.state.kind, 'stopped');
    await vscode.commands.executeCommand('acpSessions.agent.restart');
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the agent to run');
  });

  it('reads everything again with Refresh, without a blank moment', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        on: {
          'session/list': [
            [{ result: { sessions: [listed('s1', 'One')] } }],
            [{ result: { sessions: [listed('s2', 'Two'), listed('s1', 'One')] } }],
          ],
        },
      }),
    });
    const node = await bench.session('One');
    const refreshed = vscode.commands.executeCommand('acpSessions.sessions.refresh');
    assert.deepEqual(bench.labels(), ['One']);
    await refreshed;
    await bench.session('Two');
    assert.equal(await bench.session('One'), node);
  });

  it('copies the id of a session', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('the-id', 'One')] }) });
    await vscode.commands.executeCommand('acpSessions.session.copyId', await bench.session('One'));
    assert.equal(await vscode.env.clipboard.readText(), 'the-id');
  });

  it('gives its commands nothing but its own rows', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    const node = await bench.session('One');
    for (const argument of [{ ...node }, 'One', { kind: 'session' }, undefined]) {
      await vscode.env.clipboard.writeText('before');
      await vscode.commands.executeCommand('acpSessions.session.copyId', argument);
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    }
  });

  it('is drawn by VS Code, which then starts the agent', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    await vscode.commands.executeCommand('acpSessions.sessions.focus');
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the agent');
    await vscode.commands.executeCommand('workbench.view.explorer');
    assert.ok(extension().isActive);
  });
});
