import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import type { SessionNode } from '../../../src/views/sessions/nodes/nodes';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { type Step, update as said } from '../../fakeAgent/scenario';
import { pages } from '../../support/vscode/webviews';
import { Dialogs } from '../../vscode/harness/dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { clearStored } from './clearStored';

describe('cached transcripts', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  /**
   * Opens a session in a tab and closes it. The agent then is another one, as after a reload: this time it replays these
   * steps, once the file `go` exists.
   */
  async function openedBefore(...again: readonly Step[]): Promise<void> {
    const begun = bench.file('again');
    const first: Step = {
      withoutFile: begun,
      steps: [{ update: said.user('Question') }, { update: said.agent('Answer') }, { result: {} }],
    };
    const go: Step = { waitForFile: bench.file('go') };
    const entry = fakeEntry('A', {
      on: { 'session/list': [{ result: { sessions: [listed('cached', 'Cached')] } }] },
      replays: { cached: [first, go, ...again] },
    });
    await bench.setAgents({ a: entry });
    await bench.click(await bench.session('Cached'));
    const { panels } = bench.api;
    await waitFor(() => panels.active?.session.phase.kind === 'ready', 'the session to be loaded');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await bench.api.transcriptCache.end();
    bench.api.listMemory.end();
    const before = bench.api.agents.get('a');
    await writeFile(begun, '');
    // The same program all the same.
    await bench.setAgents({ a: { ...(entry as object), protocol: 'auto' } });
    await waitFor(() => bench.api.agents.get('a') !== before, 'the agent to be another one');
  }

  /** Opens the session again after the same steps. */
  async function openedAgain(...again: readonly Step[]): Promise<TranscriptPanel> {
    await openedBefore(...again);
    await bench.click(await bench.session('Cached'));
    return waitFor(() => bench.api.panels.active, 'the tab');
  }

  /** The text that the command shows of the row. */
  async function textOf(row: SessionNode): Promise<string> {
    const dialogs = new Dialogs();
    dialogs.answer = () => 'Open as Text';
    await vscode.commands.executeCommand('acpSessions.session.export', row);
    dialogs.dispose();
    return waitFor(
      () => vscode.window.activeTextEditor?.document.getText(),
      'the transcript as a text',
    );
  }

  function shown({ session }: TranscriptPanel): string[] {
    return session.shown.entries.map((entry) =>
      'blocks' in entry && entry.blocks[0]?.type === 'text' ? entry.blocks[0].text : entry.kind,
    );
  }

  it('are there before the agent answers, and become what it replays', async () => {
    const panel = await openedAgain(
      { update: said.user('Question') },
      { update: said.agent('Another answer') },
      { result: {} },
    );
    await waitFor(() => shown(panel).length > 0, 'what is cached');
    assert.equal(panel.session.phase.kind, 'loading');
    assert.deepEqual(shown(panel), ['Question', 'Answer']);
    assert.equal(panel.outline.turnCount, 1);
    await writeFile(bench.file('go'), '');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the replay');
    assert.deepEqual(shown(panel), ['Question', 'Another answer']);
  });

  it('are sent to a page that is still starting', async () => {
    await openedBefore();
    const sent: ToWebview[] = [];
    pages.run = () => ({
      post: (message) => sent.push(message as ToWebview),
      close: () => undefined,
    });
    try {
      await bench.click(await bench.session('Cached'));
      const snapshot = await waitFor(() => sent[0], 'a message');
      assert.ok(snapshot.type === 'snapshot');
      assert.deepEqual([snapshot.count, snapshot.entries.length], [2, 2]);
    } finally {
      delete pages.run;
    }
  });

  it('stay when the agent fails, to be read as a text, until they are cleared', async () => {
    const panel = await openedAgain({ error: { code: -32603, message: 'no luck' } });
    await waitFor(() => shown(panel).length > 0, 'what is cached');
    await writeFile(bench.file('go'), '');
    await waitFor(() => panel.session.phase.kind === 'failed', 'the failure');
    assert.deepEqual(shown(panel), ['Question', 'Answer']);
    await vscode.commands.executeCommand('acpSessions.session.export', 'text');
    const text = await waitFor(
      () => vscode.window.activeTextEditor?.document.getText(),
      'the transcript as a text',
    );
    assert.match(text, /Question[^]*Answer/);
    await clearStored('Cached transcripts');
    assert.deepEqual(shown(panel), []);
  });

  it('are read without a tab when the agent fails, and say what they are', async () => {
    await openedBefore({ error: { code: -32603, message: 'no luck' } });
    await writeFile(bench.file('go'), '');
    const text = await textOf(await bench.session('Cached'));
    assert.match(text, /From the cache, as of \d{4}-[^]*Question[^]*Answer/);
    assert.equal(bench.api.sessions.all.length, 0);
  });

  it('SEC-78: stay when the agent is removed, below its row, until they are forgotten', async () => {
    await openedBefore();
    await bench.setAgents({ b: fakeEntry('B', {}) });
    const row = await bench.session('Cached');
    const removed = bench.nodes().find(({ id }) => id === 'agent:a');
    assert.ok(removed);
    const { label, description, contextValue } = bench.api.view.getTreeItem(removed);
    assert.deepEqual([label, description, contextValue], ['A', 'removed', 'removed']);
    assert.match(await textOf(row), /From the cache[^]*Question[^]*Answer/);
    await bench.click(row);
    const panel = await waitFor(() => bench.api.panels.active, 'the tab');
    await waitFor(() => panel.session.phase.kind === 'failed', 'the reason');
    // The cache may be read later than that.
    await waitFor(() => shown(panel).length === 2, 'what is cached');
    assert.deepEqual(shown(panel), ['Question', 'Answer']);
    assert.deepEqual(panel.session.writable, { kind: 'no', reason: 'A is no longer configured' });
    const dialogs = new Dialogs();
    try {
      dialogs.answer = ({ choices }) => choices[0];
      await vscode.commands.executeCommand('acpSessions.agent.forget', removed);
    } finally {
      dialogs.dispose();
    }
    assert.deepEqual(
      bench.api.agents.all.map(({ id }) => id),
      ['b'],
    );
    await waitFor(() => bench.api.panels.active === undefined, 'the tab to be closed');
  });
});
