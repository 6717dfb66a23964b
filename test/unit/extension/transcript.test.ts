import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import { takeOver } from '../../../src/views/transcript/tabs/oldTabs';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { update } from '../../fakeAgent/scenario';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

const open = 'acpSessions.session.open';

describe('transcript tab', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One'), listed('s2', 'Two')],
        replays: { s1: [{ updates: [update.user('Hello'), update.agent('Hi')] }, { result: {} }] },
        record: bench.file('log'),
        watch: [
          {
            file: bench.file('push'),
            steps: [
              { update: { sessionUpdate: 'session_info_update', title: 'New' }, sessionId: 's1' },
            ],
          },
        ],
      }),
    });
  });
  afterEach(() => bench.dispose());

  async function openTab(title: string): Promise<TranscriptPanel> {
    await vscode.commands.executeCommand(open, await bench.session(title));
    return waitFor(() => activePanel(title), `the tab "${title}"`);
  }

  function activePanel(title: string): TranscriptPanel | undefined {
    const { active } = bench.api.panels;
    return active?.panel.title === title ? active : undefined;
  }

  /** The messages sent to the webview from now on. */
  function spy({ panel }: TranscriptPanel): ToWebview[] {
    const sent: ToWebview[] = [];
    const { webview } = panel;
    const post = webview.postMessage.bind(webview);
    webview.postMessage = (message: ToWebview) => {
      sent.push(message);
      return post(message);
    };
    return sent;
  }

  async function loads(): Promise<number> {
    const received = await bench.received('log');
    return received.filter(({ method }) => method === 'session/load').length;
  }

  it('opens a session and shows its history to the webview', async () => {
    const tab = await openTab('One');
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
    assert.deepEqual(
      tab.session.shown.entries.map(({ kind }) => kind),
      ['user', 'agent'],
    );
    await waitFor(() => transcriptTabs().join() === 'One', 'the tab with its title');
    assert.ok(tab.panel.webview.html.includes('trusted-types workers'));
    assert.equal(tab.panel.options.retainContextWhenHidden ?? false, false);
  });

  it('comes back from hiding with a new snapshot and nothing in between', async () => {
    const tab = await openTab('One');
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
    const sent = spy(tab);
    const other = await openTab('Two');
    await waitFor(() => other.session.phase.kind === 'ready', 'the history of the other');
    await waitFor(() => !tab.panel.visible, 'the tab to be hidden');
    sent.splice(0);
    await writeFile(bench.file('push'), '');
    await waitFor(() => tab.session.title === 'New', 'the new title');
    assert.equal(tab.panel.title, 'New', 'the tab is renamed though it is hidden');
    assert.equal(sent.length, 0, 'nothing is sent to a webview that is not there');
    await vscode.commands.executeCommand(open, await bench.session('New'));
    await waitFor(() => sent.length > 0, 'a message to the webview');
    const [snapshot] = sent;
    assert.ok(snapshot?.type === 'snapshot');
    assert.deepEqual([snapshot.count, snapshot.header.title], [2, 'New']);
    assert.equal(await loads(), 2, 'nothing is loaded again');
  });

  it('CLOSE-3: closes the session with its tab', async () => {
    const tab = await openTab('One');
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
    tab.panel.dispose();
    await waitFor(async () => {
      const received = await bench.received('log');
      return received.some(({ method }) => method === 'session/close');
    }, 'the agent to hear of it');
    assert.equal(bench.api.sessions.find('a', 's1'), undefined);
    await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
  });

  it('takes over a tab of an earlier version, from the identity alone', async () => {
    const saved = {
      agentId: 'a',
      sessionId: 's1',
      cwd: workspaceFolder(),
      additionalDirectories: [],
      title: 'One',
    };
    await openTab('Two');
    await restore({ saved, anchor: 'end' }, vscode.ViewColumn.Beside);
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'the history');
    await waitFor(() => transcriptTabs().join() === 'Two,One', 'the tab with its title');
    const tab = bench.api.panels.find('a', 's1');
    assert.equal(tab?.panel.viewColumn, vscode.ViewColumn.Two, 'where it was');
    await waitFor(() => oldTabs().length === 0, 'the old tab to go');
  });

  it('closes a tab that says nothing of use about its session', async () => {
    for (const state of [undefined, {}, { saved: { agentId: 7 } }, 'x']) {
      await restore(state);
      await waitFor(() => oldTabs().length === 0, 'the tab to go');
      assert.deepEqual(transcriptTabs(), []);
    }
  });

  it('says in the tab that its agent isn’t set up any more', async () => {
    const saved = {
      agentId: 'gone',
      sessionId: 's1',
      cwd: workspaceFolder(),
      additionalDirectories: [],
      title: 'Old one',
    };
    await restore({ saved, anchor: 'end' });
    const tab = await waitFor(() => activePanel('Old one'), 'the tab');
    const { phase } = tab.session;
    assert.ok(phase.kind === 'failed');
    assert.deepEqual(phase.failure.actions, ['editAgents']);
  });

  it('shows that a session can’t be opened, in the tab’s icon', async () => {
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One')],
        on: { 'session/load': [{ error: { code: -32002, message: 'gone' } }] },
      }),
    });
    const tab = await openTab('One');
    await waitFor(() => tab.session.phase.kind === 'failed', 'the failure');
    const icon = tab.panel.iconPath;
    assert.ok(icon !== undefined && 'light' in icon);
    assert.match(icon.light.path, /failed-light\.svg$/);
    const node = await bench.session('One');
    const theme = bench.api.view.getTreeItem(node).iconPath;
    assert.ok(theme instanceof vscode.ThemeIcon && theme.id === 'error');
  });

  /** Restores a panel as VS Code does after a reload. */
  async function restore(state: unknown, column = vscode.ViewColumn.Active): Promise<void> {
    const panel = vscode.window.createWebviewPanel('acpSessions.transcript', 'restored', column);
    await waitFor(() => panel.active, 'the old tab');
    await takeOver(bench.api.panels, panel, state);
  }

  function oldTabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview);
  }
});
