import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../../src/views/sessions/nodes/nodes';
import { Dialogs } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

const titles = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Session ${String(index + 1).padStart(4, '0')}`);

describe('sessions view', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  function item(node: SessionsNode): vscode.TreeItem {
    return bench.api.view.getTreeItem(node);
  }

  function tooltip(node: SessionsNode): string {
    const text = bench.api.tree.tooltip(node);
    assert.ok(typeof text === 'string', 'a text without any markup');
    return text;
  }

  /** The node itself first. */
  function rowsAbove(node: SessionsNode): readonly SessionsNode[] {
    const parent = bench.api.view.getParent(node);
    return parent === undefined ? [node] : [node, ...rowsAbove(parent)];
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

  it('opens the session of a row with VS Code’s own command, which keeps its arguments', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    const node = await bench.session('One');
    assert.equal(item(node).command?.command, 'vscode.open');
    await bench.click(node);
    assert.equal(bench.api.panels.active?.session.info.sessionId, 's1');
  });

  it('gives what a click on any other row does no arguments, which VS Code forgets', async () => {
    await bench.setAgents({ a: { title: 'Gone', command: 'there-is-no-such-agent' } });
    const { command } = item(await bench.message('failed'));
    assert.ok(command);
    assert.equal(command.arguments, undefined);
  });

  it('tries again what has failed, with a click that VS Code knows no row of', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        on: {
          'session/list': [
            [{ error: { code: -32603, message: 'no luck' } }],
            [{ result: { sessions: [listed('s1', 'One')] } }],
          ],
        },
      }),
    });
    await bench.click(await bench.message('failed'));
    await bench.session('One');
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
    assert.equal(item(failed).label, 'Couldn’t load more. Retry');
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
    const { view } = bench.api;
    const listener = view.onDidChangeTreeData((nodes) => {
      // If something else changed within the same frame, the event names a row above it, or none.
      const isDrawn = nodes?.some((changed) => rowsAbove(node).includes(changed)) ?? true;
      label = isDrawn ? item(node).label : label;
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
    await bench.click(failed);
    const [told] = dialogs.asked;
    assert.equal(told?.kind, 'error');
    assert.match(told.text, /^Gone was not found\. .*there-is-no-such-agent/);
    assert.deepEqual(told.choices, [
      ...['Edit Agents', 'Retry', 'Diagnose', 'Show Log', 'Learn More'],
    ]);
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

  it('T-30: says at once what a program prints that isn’t an agent', async () => {
    await bench.setAgents({
      a: fakeEntry('A', { start: [{ line: 'Welcome to the chat' }], on: { initialize: [] } }),
    });
    const node = await bench.message('notAcp');
    assert.equal(item(node).label, 'A printed something that isn’t ACP');
    assert.equal(item(node).description, '“Welcome to the chat”');
    assert.equal(bench.api.agents.get('a')?.state.kind, 'starting');
  });

  it('LIST-3: lists sessions that were started here with an agent that can’t list, and forgets them on request', async () => {
    await bench.setAgents({
      a: fakeEntry('A', { initialize: { agentCapabilities: { loadSession: true } } }),
    });
    const agent = bench.api.agents.get('a')!;
    await bench.message('unsupported');
    const folder = { name: 'here', path: workspaceFolder() };
    const session = await bench.api.sessions.create(agent, folder);
    session.turns.submit({ text: 'Find the leak', attachments: [] });
    const node = await bench.session('Find the leak');
    assert.equal(
      item(await bench.message('knownHere')).label,
      'Only sessions opened here are listed',
    );
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
    await session.close();
    assert.match(item(node).contextValue ?? '', /\bdeletable\b/);
    await bench.api.sessions.delete(agent, session.info);
    await bench.message('unsupported');
  });

  it('LIST-3: says calmly that an agent can’t list', async () => {
    await bench.setAgents({
      a: fakeEntry('A', { initialize: { agentCapabilities: { loadSession: true } } }),
    });
    const node = await bench.message('unsupported');
    assert.equal(item(node).label, 'A can’t list its sessions');
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
});
