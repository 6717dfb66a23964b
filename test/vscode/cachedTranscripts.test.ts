import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TranscriptPanel } from '../../src/views/transcript/tabs/panel';
import { type Step, update as said } from '../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, waitFor } from './harness/support';

describe('transcripts of the last time', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  /**
   * Opens a session in a tab and closes it, then opens it again, as after a reload: this time the agent replays these
   * steps, once the file `go` exists.
   */
  async function openedAgain(...again: readonly Step[]): Promise<TranscriptPanel> {
    const first: Step = {
      withoutVariable: 'AGAIN',
      steps: [{ update: said.user('Question') }, { update: said.agent('Answer') }, { result: {} }],
    };
    const go: Step = { waitForFile: bench.file('go') };
    const entry = fakeEntry('A', {
      on: { 'session/list': [{ result: { sessions: [listed('cached', 'Cached')] } }] },
      replays: { cached: [first, go, ...again] },
    }) as { readonly env: Readonly<Record<string, string>> };
    await bench.setAgents({ a: { ...entry } });
    await bench.click(await bench.session('Cached'));
    const { panels } = bench.api;
    await waitFor(() => panels.active?.session.phase.kind === 'ready', 'the session to be loaded');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await bench.api.transcriptCache.end();
    const before = bench.api.agents.get('a');
    await bench.setAgents({ a: { ...entry, env: { ...entry.env, AGAIN: '1' } } });
    await waitFor(() => bench.api.agents.get('a') !== before, 'the agent to be another one');
    await bench.click(await bench.session('Cached'));
    return waitFor(() => panels.active, 'the tab');
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
    assert.equal(panel.session.phase.kind, 'loading');
    assert.deepEqual(shown(panel), ['Question', 'Answer']);
    assert.equal(panel.outline.turnCount, 1);
    await writeFile(bench.file('go'), '');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the replay');
    assert.deepEqual(shown(panel), ['Question', 'Another answer']);
  });

  it('stay when the agent fails, to be read as a text, until they are cleared', async () => {
    const panel = await openedAgain({ error: { code: -32603, message: 'no luck' } });
    await writeFile(bench.file('go'), '');
    await waitFor(() => panel.session.phase.kind === 'failed', 'the failure');
    assert.deepEqual(shown(panel), ['Question', 'Answer']);
    await vscode.commands.executeCommand('acpSessions.session.openAsText');
    const text = await waitFor(
      () => vscode.window.activeTextEditor?.document.getText(),
      'the transcript as a text',
    );
    assert.match(text, /Question[^]*Answer/);
    await vscode.commands.executeCommand('acpSessions.transcripts.clearCache');
    assert.deepEqual(shown(panel), []);
  });
});
