import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ableInitialize, type Json, update as updates } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

describe('Search in Conversations', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let pickers: Pickers;

  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await bench.api.search.indexer.clear();
    dialogs = new Dialogs();
    pickers = new Pickers();
  });
  afterEach(async () => {
    pickers.dispose();
    dialogs.dispose();
    await bench.dispose();
    await bench.api.search.indexer.clear();
    await update('search.index', undefined);
  });

  const file = (): string => path.join(workspaceFolder(), 'src', 'touched.ts');

  /** Two sessions: one has the word in the middle, the other edits a file. */
  async function setUp(more: Readonly<Record<string, Json>> = {}): Promise<void> {
    const said = Array.from({ length: 60 }, (_, at) => [
      updates.user(`Question ${at}`, `u${at}`),
      updates.agent(at === 30 ? 'Look at the $(gear) haystack' : `Answer ${at}`, `a${at}`),
    ]).flat();
    const edit = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Edit it',
      kind: 'edit',
      status: 'completed',
      content: [{ type: 'diff', path: 'src/touched.ts', oldText: 'a', newText: 'b' }],
    };
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'One'), listed('s2', 'Two')],
        replays: {
          s1: [{ updates: said }, { result: {} }],
          s2: [{ updates: [updates.user('Please'), edit] }, { result: {} }],
        },
        record: bench.file('log'),
        ...more,
      }),
    });
  }

  async function openAndClose(title: string): Promise<void> {
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session(title));
    const session = await waitFor(() => bench.api.sessions.all[0], 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
    await bench.api.search.indexer.idle;
  }

  /** The quick pick with the results for the text, and the end of the command. */
  async function search(text: string): Promise<{
    readonly picker: vscode.QuickPick<vscode.QuickPickItem>;
    readonly done: Thenable<unknown>;
  }> {
    const done = vscode.commands.executeCommand('acpSessions.search.open');
    const picker = await pickers.made();
    picker.value = text;
    await waitFor(() => !picker.busy && picker.items.length > 0, 'rows');
    return { picker, done };
  }

  const revealed = (): Promise<number> =>
    new Promise((resolve) => {
      const { panels } = bench.api;
      const open = panels.open.bind(panels);
      const back = replaceMember(panels, 'open', async (...given: Parameters<typeof open>) => {
        const panel = await open(...given);
        replaceMember(panel, 'reveal', resolve);
        back();
        return panel;
      });
    });

  it('finds text of a session that was opened, and opens the session there', async () => {
    await setUp();
    await openAndClose('One');
    const { picker, done } = await search('hays');
    assert.deepEqual(
      picker.items.map(({ label }) => label),
      ['Look at the $\u200b(gear) haystack'],
    );
    assert.match(picker.items[0]?.detail ?? '', /^One · A · /);
    const place = revealed();
    await pickers.accept(done);
    assert.equal(await place, 61);
    await waitFor(
      () => bench.api.panels.active?.panel.title === 'One',
      'its tab to have the focus',
    );
  });

  it('says what to do when nothing is found', async () => {
    await setUp();
    await openAndClose('One');
    const { picker, done } = await search('nowhere');
    assert.deepEqual(
      picker.items.map(({ label }) => label),
      ['Nothing found', '$(database) Index All Sessions of This Folder'],
    );
    picker.hide();
    await done;
  });

  it('says that a session is gone, and does not find it again', async () => {
    const said = { update: updates.agent('A haystack') };
    const error = { code: -32002, message: 'Resource not found' };
    await setUp({ on: { 'session/load': [[said, { result: {} }], [{ error }]] } });
    await openAndClose('One');
    const { done } = await search('haystack');
    await pickers.accept(done);
    assert.match(dialogs.texts('warning').join(), /A no longer has “One”/);
    assert.deepEqual(await bench.api.search.index.search('haystack'), []);
  });

  it('forgets deleted sessions', async () => {
    await setUp();
    await openAndClose('One');
    dialogs.answer = () => 'Delete';
    await vscode.commands.executeCommand('acpSessions.session.delete', await bench.session('One'));
    await waitFor(
      async () => (await bench.api.search.index.search('haystack')).length === 0,
      'the session to leave the index',
    );
  });

  it('indexes sessions that were never opened, without a tab, and closes them again', async () => {
    await setUp();
    await openAndClose('One');
    await vscode.commands.executeCommand('acpSessions.search.indexFolder');
    await waitFor(() => dialogs.texts('information').length > 0, 'the end');
    assert.deepEqual(dialogs.texts('information'), ['1 session was indexed.']);
    assert.deepEqual(bench.api.sessions.all, []);
    const [hit] = await bench.api.search.index.search('please');
    assert.equal(hit?.session.sessionId, 's2');
    const methods = (await bench.received('log')).map(({ method }) => method);
    assert.equal(methods.filter((method) => method === 'session/load').length, 2);
    assert.equal(methods.filter((method) => method === 'session/close').length, 2);
  });

  it('finds the sessions that touched a file, and opens them at the call', async () => {
    await setUp();
    await openAndClose('Two');
    await mkdir(path.dirname(file()), { recursive: true });
    await writeFile(file(), 'b');
    dialogs.answer = ({ choices }) => choices[0];
    const place = revealed();
    await vscode.commands.executeCommand('acpSessions.search.file', vscode.Uri.file(file()));
    assert.equal(await place, 1);
    const [asked] = dialogs.asked;
    assert.equal(asked?.text, 'Sessions That Touched This File');
    assert.deepEqual(asked.choices, ['$(edit) Two']);
    assert.deepEqual(asked.descriptions, ['edited +1 −1']);
    const other = vscode.Uri.file(path.join(workspaceFolder(), 'other.ts'));
    await vscode.commands.executeCommand('acpSessions.search.file', other);
    assert.match(dialogs.texts('information').join(), /has touched other\.ts/);
  });

  it('keeps nothing while it is off, and deletes what it had', async () => {
    await setUp();
    await openAndClose('One');
    assert.equal((await bench.api.search.index.search('haystack')).length, 1);
    await update('search.index', 'off');
    await waitFor(
      async () => (await bench.api.search.index.search('haystack')).length === 0,
      'the index to go',
    );
    await openAndClose('Two');
    await vscode.commands.executeCommand('acpSessions.search.open');
    assert.match(dialogs.texts('information').join(), /The search index is off/);
    assert.deepEqual(await bench.api.search.index.search('please'), []);
  });
});
