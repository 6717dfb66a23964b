import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../../src/views/sessions/nodes/nodes';
import { type Json, type Step, update as said } from '../../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, update, waitFor } from '../../vscode/harness/support';
import { clearStored } from './clearStored';

const first = ['One', 'Two', 'Three'];

describe('remembered lists', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(async () => {
    await update('sessions.rememberLists', undefined);
    await bench.dispose();
  });

  function sessions(...titles: readonly string[]): Json {
    return { sessions: titles.map((title, at) => listed(title, title, `2026-03-0${9 - at}`)) };
  }

  /**
   * Has an agent list its sessions, and starts it anew, as after a reload: that one answers `session/list` with these
   * steps once the file `go` exists.
   */
  async function readAndRestart(...steps: readonly Step[]): Promise<void> {
    const again = bench.file('again');
    const answer: Step = { withoutFile: again, steps: [{ result: sessions(...first) }] };
    const go: Step = { waitForFile: bench.file('go') };
    const entry = fakeEntry('A', {
      on: { 'session/list': [answer, go, ...steps] },
      replays: { '*': [{ update: said.agent('Hello') }, { result: {} }] },
    });
    await bench.setAgents({ a: { ...(entry as object), title: 'Before' } });
    await bench.session('One');
    bench.api.listMemory.end();
    const before = bench.api.agents.get('a');
    await writeFile(again, '');
    await bench.setAgents({ a: entry });
    await waitFor(() => bench.api.agents.get('a') !== before, 'the agent to be another one');
  }

  function tooltip(node: SessionsNode): string {
    const text = bench.api.tree.tooltip(node);
    assert.ok(typeof text === 'string', 'a text without any markup');
    return text;
  }

  it('are there at once, and become the agent’s own without a row being another one', async () => {
    await readAndRestart({ result: sessions('New', 'One', 'Three') });
    assert.deepEqual(bench.labels(), first, 'without waiting for anything');
    const [one, two, three] = bench.nodes();
    assert.match(tooltip(one!), /From memory: A hasn’t listed it again yet/);
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the agent');
    assert.deepEqual(bench.labels(), first);
    await writeFile(bench.file('go'), '');
    await bench.session('New');
    assert.deepEqual(bench.labels(), ['New', 'One', 'Three']);
    assert.deepEqual(bench.nodes().slice(1), [one, three]);
    assert.ok(!bench.nodes().includes(two!));
    assert.doesNotMatch(tooltip(one!), /From memory/);
  });

  it('can be opened, pinned and named before the agent lists them', async () => {
    await readAndRestart({ result: sessions(...first) });
    const [, two] = bench.nodes();
    await bench.click(two!);
    const { panels } = bench.api;
    await waitFor(() => panels.active?.session.phase.kind === 'ready', 'the session to be loaded');
    assert.equal(panels.active?.session.info.sessionId, 'Two');
    await vscode.commands.executeCommand('acpSessions.session.pin', two);
    await waitFor(() => bench.labels().join() === 'Pinned,Two,One,Three', 'the pinned row');
    await writeFile(bench.file('go'), '');
    await waitFor(() => bench.api.agents.lists[0]?.state.kind === 'loaded', 'the list');
    assert.deepEqual(bench.labels(), ['Pinned', 'Two', 'One', 'Three']);
    assert.ok(bench.nodes().includes(two!), 'the same row');
    await vscode.commands.executeCommand('acpSessions.session.unpin', two);
  });

  it('stay while the agent can’t list, which a row says, until they are cleared', async () => {
    await readAndRestart({ error: { code: -32603, message: 'no luck' } });
    assert.deepEqual(bench.labels(), first);
    await writeFile(bench.file('go'), '');
    const failed = await bench.message('failed');
    assert.match(tooltip(failed), /The sessions shown were read before/);
    const [message, ...rest] = bench.labels();
    assert.ok(message);
    assert.deepEqual(rest, first);
    await clearStored('Remembered lists');
    await waitFor(() => bench.labels().join() === message, 'the rows to go');
  });

  it('are not kept once the setting is off', async () => {
    await readAndRestart({ result: sessions('New') });
    assert.deepEqual(bench.labels(), first);
    await update('sessions.rememberLists', false);
    await waitFor(() => bench.api.lists.all.length === 0, 'the memory to be empty');
    assert.ok(!bench.labels().includes('One'));
    await writeFile(bench.file('go'), '');
    await bench.session('New');
    bench.api.listMemory.end();
    assert.deepEqual(bench.api.lists.all, []);
  });
});
