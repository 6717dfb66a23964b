import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ableInitialize, type Scenario } from '../../fakeAgent/scenario';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { useBench } from './useBench';

const chunk = (kind: string, text: string) => ({
  update: { sessionUpdate: `${kind}_message_chunk`, content: { type: 'text', text } },
});

describe('sessions as texts', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });

  async function setAgent(scenario: Scenario = {}): Promise<void> {
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'One / 1'), listed('s2', 'Two')],
        record: bench.file('log'),
        on: {
          'session/load': [
            chunk('user', 'Hello'),
            chunk('agent', '# Hi\n\n```\nopen'),
            { result: {} },
          ],
          'session/prompt': [chunk('agent', 'More'), { result: { stopReason: 'end_turn' } }],
        },
        ...scenario,
      }),
    });
    bench.nodes();
  }

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.session.${command}`, ...args);
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  /** The visible document that matches, once there is one. */
  function shownText(wanted: RegExp): Promise<vscode.TextDocument> {
    return waitFor(
      () => {
        // A newly opened transcript takes the focus when it is ready.
        const shown = vscode.window.visibleTextEditors.map(({ document }) => document);
        return shown.find((document) => wanted.test(document.getText()));
      },
      `a text like ${String(wanted)}`,
    );
  }

  const body = '## 1. Hello\n\n### You\n\nHello\n\n### A\n\n#### Hi\n\n```\nopen\n```\n';

  describe('export', () => {
    let proposed: vscode.SaveDialogOptions | undefined;
    let chosen: vscode.Uri | undefined;
    let restore: () => void;
    beforeEach(() => {
      chosen = vscode.Uri.file(bench.file('out'));
      restore = replaceMember(vscode.window, 'showSaveDialog', (options: typeof proposed) => {
        proposed = options;
        return Promise.resolve(chosen);
      });
    });
    afterEach(() => restore());

    it('writes a session that isn’t open, and lets go of it again', async () => {
      await setAgent();
      dialogs.answer = () => 'Markdown';
      await run('export', await bench.session('One / 1'));
      const text = await readFile(bench.file('out'), 'utf8');
      assert.ok(text.startsWith('# One / 1\n\n- Agent: A\n'), text);
      assert.ok(text.endsWith(body), text);
      assert.equal(path.basename(proposed?.defaultUri?.path ?? ''), 'One 1.md');
      assert.deepEqual(bench.api.sessions.all, []);
      assert.deepEqual([await sent('session/load'), await sent('session/close')], [1, 1]);
      assert.match(dialogs.texts('information').join(), /^Exported “One \/ 1” to /);
    });

    it('writes the updates of an open session, which stays open', async () => {
      await setAgent();
      const one = await bench.session('One / 1');
      await run('open', one);
      await waitFor(() => bench.api.sessions.find('a', 's1')?.phase.kind === 'ready', 'it');
      dialogs.answer = () => 'JSON Lines';
      await run('export', one);
      const lines = (await readFile(bench.file('out'), 'utf8')).trimEnd().split('\n');
      const kinds = lines.map((line) => {
        const params = JSON.parse(line) as { sessionId: string; update: { sessionUpdate: string } };
        assert.equal(params.sessionId, 's1');
        return params.update.sessionUpdate;
      });
      assert.deepEqual(kinds, ['session_info_update', 'user_message_chunk', 'agent_message_chunk']);
      assert.ok(bench.api.sessions.find('a', 's1'));
      assert.equal(await sent('session/load'), 1);
    });

    it('asks as what, unless a key says it for the active tab', async () => {
      await setAgent();
      const one = await bench.session('One / 1');
      await run('export', one);
      assert.deepEqual(dialogs.asked.at(-1)?.choices, ['Markdown', 'JSON Lines', 'Open as Text']);
      await run('open', one);
      await waitFor(() => bench.api.panels.active?.session.phase.kind === 'ready', 'the tab');
      dialogs.asked.length = 0;
      await run('export', 'markdown');
      assert.deepEqual(dialogs.texts('pick'), []);
      assert.ok((await readFile(bench.file('out'), 'utf8')).startsWith('# One / 1'));
    });

    it('asks the agent for nothing when no file was chosen', async () => {
      await setAgent();
      chosen = undefined;
      dialogs.answer = () => 'Markdown';
      await run('export', await bench.session('One / 1'));
      assert.equal(await sent('session/load'), 0);
    });

    it('says so when the agent can’t load', async () => {
      const sessionCapabilities = { list: {} };
      await setAgent({ initialize: { agentCapabilities: { sessionCapabilities } } });
      dialogs.answer = () => 'Markdown';
      await run('export', await bench.session('One / 1'));
      assert.match(dialogs.texts('warning').join(), /A can’t load sessions/);
    });
  });

  it('is loaded for the text if it isn’t open, and released again', async () => {
    await setAgent({ sessions: [listed('unread', 'Unread')] });
    const node = await bench.session('Unread');
    const [uri] = bench.api.view.getTreeItem(node).command?.arguments as [vscode.Uri];
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
    const text = await shownText(/^\*This session is closed[^]*# Unread[^]*## 1\. Hello/);
    await waitFor(() => text.languageId === 'markdown', 'its language');
    assert.deepEqual(bench.api.sessions.all, []);
    assert.deepEqual([await sent('session/load'), await sent('session/close')], [1, 1]);
  });

  it('LOAD-11: says in words why a session can’t be read for its text', async () => {
    await setAgent({
      sessions: [listed('lost', 'Lost')],
      on: { 'session/load': [{ error: { code: -32002, message: 'gone' } }] },
    });
    const node = await bench.session('Lost');
    const [uri] = bench.api.view.getTreeItem(node).command?.arguments as [vscode.Uri];
    const opened = Promise.resolve(vscode.workspace.openTextDocument(uri));
    await assert.rejects(opened, /This session is not available\. A no longer has it/);
    assert.deepEqual(bench.api.sessions.all, []);
  });

  it('SEC-66: asks no agent for the text of an unknown session', async () => {
    await setAgent();
    const named = (query: string): vscode.Uri =>
      vscode.Uri.from({ scheme: 'acp-transcript', path: '/x.md', query });
    const unknown = named('agent=a&session=unknown&cwd=/w');
    const opened = Promise.resolve(vscode.workspace.openTextDocument(unknown));
    await assert.rejects(opened, /Unknown session/);
    const nonsense = Promise.resolve(vscode.workspace.openTextDocument(named('agent=a')));
    await assert.rejects(nonsense);
    assert.equal(await sent('session/load'), 0);
  });

  it('compares the two that are selected', async () => {
    await setAgent();
    const [one, two] = [await bench.session('One / 1'), await bench.session('Two')];
    await run('compare', one, [one, two]);
    const tab = await waitFor(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff && input;
    }, 'the comparison');
    assert.match(tab.original.path, /One 1\.md$/);
    assert.match(tab.modified.path, /Two\.md$/);
    assert.deepEqual(bench.api.sessions.all, []);
  });
});
