import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../src/views/sessions/nodes';
import { ableInitialize } from '../fakeAgent/scenario';
import { Bench, fakeEntry, listed, transcriptTabs, waitFor, workspaceFolder } from './support';

describe('folders of sessions', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.create();
  });
  afterEach(async () => {
    await bench.dispose();
    await rm(path.join(workspaceFolder(), '.git'), { recursive: true, force: true });
  });

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  function item(node: SessionsNode): vscode.TreeItem {
    return bench.api.view.getTreeItem(node);
  }

  /** Makes the workspace folder a repository that has another work tree, on the branch `feature-x`. */
  async function makeWorktree(name: string): Promise<string> {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: workspaceFolder(),
        stdio: 'pipe',
      });
    };
    git('init');
    git('commit', '--allow-empty', '-m', 'First');
    git('worktree', 'add', '-b', 'feature-x', bench.file(name));
    return realpath(bench.file(name));
  }

  it('shows the sessions of another work tree under the same roof, and works in it', async () => {
    const place = await makeWorktree('tree #1 100%');
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        sessions: [
          listed('here', 'Here'),
          { sessionId: 'there', cwd: place, title: 'There', updatedAt: '2026-03-01T12:00:00Z' },
        ],
        record: bench.file('log'),
      }),
    });
    await bench.session('Here');
    await run('sessions.refresh');
    const tree = await waitFor(
      () => bench.api.view.getChildren().find(({ kind }) => kind === 'worktree'),
      'the node of the work tree',
    );
    assert.equal(item(tree).label, 'feature-x');
    assert.match(String(item(tree).description), /tree #1 100%$/);
    assert.equal(item(tree).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.ok((await bench.received('log')).every(({ method }) => method !== 'session/load'));

    await run('session.open', await bench.session('There'));
    await waitFor(() => transcriptTabs().includes('There'), 'the tab');
    const asked = async (method: string): Promise<unknown> =>
      (await bench.received('log'))
        .filter((message) => message.method === method)
        .map((message) => (message as { params?: { cwd?: string } }).params?.cwd)
        .at(-1);
    await waitFor(async () => (await asked('session/load')) === place, 'its own cwd on the wire');

    await run('session.new', tree);
    await waitFor(async () => (await asked('session/new')) === place, 'a session made there');

    await vscode.workspace
      .getConfiguration('acpSessions')
      .update('worktrees', false, vscode.ConfigurationTarget.Global);
    await waitFor(() => bench.nodes().every(({ kind }) => kind !== 'worktree'), 'the node to go');
    await vscode.workspace
      .getConfiguration('acpSessions')
      .update('worktrees', undefined, vscode.ConfigurationTarget.Global);
  });
});
