import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../../src/views/sessions/nodes/nodes';
import { ableInitialize } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';

describe('folders of sessions', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(async () => {
    await rm(path.join(workspaceFolder(), '.git'), { recursive: true, force: true });
    await bench.api.tree.refresh();
    await bench.dispose();
  });

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  function item(node: SessionsNode): vscode.TreeItem {
    return bench.api.view.getTreeItem(node);
  }

  /** The parameters of each request of this method, in order. */
  async function wire(method: string): Promise<readonly { readonly cwd?: string }[]> {
    const calls = await bench.received('log');
    return calls.flatMap((call) =>
      call.method === method ? [(call as { params: { cwd?: string } }).params] : [],
    );
  }

  /** Makes the workspace folder a repository with another worktree, on the branch `feature-x`. */
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

  it('shows the sessions of all folders on demand, and opens each in its own', async () => {
    const place = await realpath(bench.folder);
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [
          listed('here', 'Here'),
          { sessionId: 'far', cwd: place, title: 'Far', updatedAt: '2026-03-02T12:00:00Z' },
        ],
        record: bench.file('log'),
      }),
    });
    await bench.session('Here');
    assert.ok(!bench.labels().includes('Far'));
    bench.api.choices.setScope('all');
    const far = await bench.session('Far');
    assert.deepEqual(bench.labels(), [place, 'Far', path.basename(workspaceFolder()), 'Here']);
    await run('session.open', far);
    await waitFor(async () => {
      const [load] = await wire('session/load');
      return load?.cwd === place;
    }, 'its own cwd on the wire');
    await run('session.pin', far);
    await waitFor(
      () => bench.nodes().find((node) => node.kind === 'group' && node.group.key === 'pinned'),
      'the pin',
    );
    assert.match(
      String(item(await bench.session('Far')).description),
      / · acp-sessions-test-[^…]*$/,
    );
    await run('session.unpin', far);
    bench.api.choices.setScope('workspace');
    await waitFor(() => bench.labels().join() === 'Here', 'the workspace’s own');
  });

  it('opens a session of a missing folder at the folder’s new place', async () => {
    const dialogs = new Dialogs();
    const old = path.join(await realpath(bench.folder), 'old #1 100%');
    const now = path.join(await realpath(bench.folder), 'now #1 100%');
    await mkdir(now);
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [
          listed('here', 'Here'),
          { sessionId: 'lost', cwd: old, title: 'Lost', updatedAt: '2026-03-02T12:00:00Z' },
        ],
        record: bench.file('log'),
      }),
    });
    const restore = replaceMember(vscode.window, 'showOpenDialog', () =>
      Promise.resolve([vscode.Uri.file(now)]),
    );
    try {
      bench.api.choices.setScope('all');
      const lost = await bench.session('Lost');
      await waitFor(() => / locatable\b/.test(item(lost).contextValue ?? ''), 'the offer');
      assert.match(String(item(lost).description), /^folder is gone/);
      await run('session.open', lost);
      const opened = await waitFor(() => bench.api.sessions.find('a', 'lost'), 'the session');
      const failure = await waitFor(
        () => opened.phase.kind === 'failed' && opened.phase.failure,
        'the failure',
      );
      assert.deepEqual([failure.code, failure.actions[0]], ['folderGone', 'locateFolder']);
      assert.deepEqual(await wire('session/load'), [], 'the agent isn’t asked');

      await waitFor(() => bench.api.panels.active?.session === opened, 'its tab to have the focus');
      await run('session.locateFolder');
      await waitFor(async () => (await wire('session/load')).at(-1)?.cwd === now, 'the new cwd');
      assert.match(dialogs.texts('information').at(-1) ?? '', /from now on/);
      const saysFolder = async (name: string): Promise<boolean> =>
        String(item(await bench.session('Lost')).description).includes(name);
      await waitFor(() => saysFolder(path.basename(now)), 'the new folder');
      assert.match(item(await bench.session('Lost')).contextValue ?? '', / locatable moved$/);

      dialogs.answer = ({ choices }) =>
        choices.find((choice) => choice === 'Forget Located Folder');
      await run('session.locateFolder', await bench.session('Lost'));
      await waitFor(() => saysFolder('folder is gone'), 'its own folder');
    } finally {
      restore();
      dialogs.dispose();
    }
  });

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
    const asked = async (method: string): Promise<unknown> => (await wire(method)).at(-1)?.cwd;
    await waitFor(async () => (await asked('session/load')) === place, 'its own cwd on the wire');

    await beginSession(bench.api, tree);
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
