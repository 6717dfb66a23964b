import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Session } from '../../src/model/session/session';
import type { TranscriptPanel } from '../../src/views/transcript/tabs/panel';
import { update } from '../fakeAgent/scenario';
import { Dialogs } from './harness/dialogs';
import {
  allTranscriptTabs,
  ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
  workspaceFolder,
} from './harness/support';

const viewType = 'acpSessions.transcript';

describe('transcripts as editors', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    const listedFirst = [listed('s1', 'One'), listed('s2', 'Two')];
    await bench.setAgents({
      a: fakeEntry('A', {
        replays: { s1: [{ updates: [update.user('Hello'), update.agent('Hi')] }, { result: {} }] },
        record: bench.file('log'),
        on: {
          'session/list': [
            [{ result: { sessions: listedFirst } }],
            [{ result: { sessions: [...listedFirst, listed('later', 'Later')] } }],
          ],
          'session/prompt': [{ result: { stopReason: 'end_turn' } }],
        },
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
  afterEach(async () => {
    await setPreview(undefined);
    await bench.dispose();
  });

  async function click(title: string): Promise<Session> {
    await bench.click(await bench.session(title));
    return waitFor(
      () => bench.api.panels.active?.session.title === title && activeSession(),
      title,
    );
  }

  async function open(title: string): Promise<TranscriptPanel> {
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session(title));
    return waitFor(() => {
      const { active } = bench.api.panels;
      return active?.panel.title === title && active;
    }, `the tab "${title}"`);
  }

  function activeSession(): Session | undefined {
    const { active } = bench.api.panels;
    return active && bench.api.sessions.find('a', active.session.info.sessionId);
  }

  async function setPreview(value: boolean | undefined): Promise<void> {
    await vscode.workspace
      .getConfiguration('workbench.editor')
      .update('enablePreview', value, vscode.ConfigurationTarget.Global);
  }

  function run(command: string): Thenable<unknown> {
    return vscode.commands.executeCommand(`workbench.action.${command}`);
  }

  async function shows(titles: string, isPreview?: boolean): Promise<void> {
    await waitFor(
      () =>
        transcriptTabs().join() === titles &&
        allTranscriptTabs().every((tab) => isPreview === undefined || tab.isPreview === isPreview),
      `the tabs ${titles}`,
    );
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  function uriOf(title: string, query: string): vscode.Uri {
    return vscode.Uri.from({ scheme: 'acp-transcript', path: `/${title}`, query });
  }

  it('opens a row as a preview, whose place the next one takes; its session closes', async () => {
    await click('One');
    await shows('One', true);
    await click('Two');
    await shows('Two', true);
    await waitFor(() => bench.api.sessions.find('a', 's1') === undefined, 'the first to close');
  });

  it('opens no previews where VS Code is set so', async () => {
    await setPreview(false);
    await click('One');
    await click('Two');
    await shows('One,Two', false);
  });

  it('keeps a preview in which a prompt is sent', async () => {
    const one = await click('One');
    await waitFor(() => one.phase.kind === 'ready', 'the history');
    one.turns.submit({ text: 'Go on', attachments: [] });
    await shows('One', false);
    await click('Two');
    await shows('One,Two');
  });

  it('opens a session to stay with a command', async () => {
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('Two'));
    await shows('One,Two', false);
  });

  it('opens two at once without a word', async () => {
    const nodes = [await bench.session('One'), await bench.session('Two')];
    const dialogs = new Dialogs();
    await Promise.all(
      nodes.map((node) => vscode.commands.executeCommand('acpSessions.session.open', node)),
    );
    await waitFor(() => transcriptTabs().length === 2, 'both tabs');
    assert.deepEqual(dialogs.texts('error'), []);
    dialogs.dispose();
  });

  it('comes back with Reopen Closed Editor and with Go Back', async () => {
    await setPreview(false);
    await click('One');
    await click('Two');
    await run('navigateBack');
    await waitFor(() => bench.api.panels.active?.session.title === 'One', 'the first one');
    await run('closeActiveEditor');
    await shows('Two');
    await waitFor(() => bench.api.sessions.find('a', 's1') === undefined, 'the first to close');
    await run('reopenClosedEditor');
    await waitFor(() => bench.api.panels.active?.session.title === 'One', 'it to come back');
    const { phase } = await waitFor(activeSession, 'its session');
    await waitFor(() => phase.kind !== 'failed', 'its history');
  });

  it('shows a session in one tab, where it is, whatever its title', async () => {
    await vscode.commands.executeCommand(
      'acpSessions.session.openToSide',
      await bench.session('Two'),
    );
    await run('focusFirstEditorGroup');
    const one = await click('One');
    await writeFile(bench.file('push'), '');
    await waitFor(() => one.title === 'New', 'the new title');
    await shows('New,Two');
    await click('New');
    await shows('New,Two');
    await click('Two');
    const column = bench.api.panels.find('a', 's2')?.panel.viewColumn;
    assert.equal(column, vscode.ViewColumn.Two);
    await shows('New,Two');
  });

  it('T-11: reveals the tab that is there, and loads no session twice', async () => {
    const tab = await open('One');
    // A tab that is left before its page is there loads nothing.
    const two = await open('Two');
    await waitFor(() => two.session.phase.kind !== 'loading', 'the other’s history');
    assert.equal(await open('One'), tab);
    await vscode.commands.executeCommand(
      'acpSessions.session.openToSide',
      await bench.session('One'),
    );
    await waitFor(() => tab.panel.viewColumn === vscode.ViewColumn.Two, 'the tab at the side');
    await waitFor(() => transcriptTabs().length === 2, 'the two tabs');
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
    assert.equal(await sent('session/load'), 2);
  });

  it('shows the tab that is there for a URI with another name', async () => {
    const one = await click('One');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    const query = `agent=a&session=s1&cwd=${encodeURIComponent(workspaceFolder())}`;
    await vscode.commands.executeCommand('vscode.open', uriOf('Before', query));
    await waitFor(() => bench.api.panels.active?.session === one, 'the tab that is there');
    await shows('One');
    assert.equal(await sent('session/load'), 1);
    assert.equal(bench.api.sessions.find('a', 's1'), one, 'its session stays open');
  });

  it('SEC-66: refuses the URI of an unknown session with a message, and opens it once it is listed', async () => {
    await bench.session('One');
    const query = 'agent=a&session=later&cwd=/etc';
    await vscode.commands.executeCommand('vscode.open', uriOf('Later', query));
    const { session } = await waitFor(() => bench.api.panels.active, 'the tab');
    assert.ok(session.phase.kind === 'failed');
    assert.equal(session.phase.failure.title, 'Unknown session');
    assert.deepEqual(bench.api.sessions.all, []);
    await vscode.commands.executeCommand('acpSessions.sessions.refresh');
    await bench.session('Later');
    await session.reload();
    const opened = await waitFor(activeSession, 'its session');
    assert.equal(opened.info.cwd, workspaceFolder(), 'its folder is the listed one');
    await shows('Later');
  });

  const hostile: readonly string[] = [
    '',
    'agent=a&session=s1',
    'agent=a&session=&cwd=/w',
    'agent=a&session=s1&cwd=/w&session=s2',
    'agent=a&session=s1&cwd=/w&additionalDirectories=/etc',
    `agent=a&session=${'s'.repeat(9_000)}&cwd=/w`,
    'agent=a&session=s%00&cwd=/w',
  ];
  for (const query of hostile) {
    it(`SEC-66: refuses a URI that says “${query.slice(0, 60)}”`, async () => {
      await bench.session('One');
      await vscode.commands.executeCommand('vscode.open', uriOf('One', query));
      const { session } = await waitFor(() => bench.api.panels.active, 'the tab');
      assert.ok(session.phase.kind === 'failed');
      assert.equal(session.phase.failure.title, 'This address doesn’t lead to a session');
      assert.equal(await sent('session/load'), 0);
    });
  }

  /** Opens a tab behind the active one, as a window does that is opened again. */
  async function openBehind(title: string, sessionId: string): Promise<void> {
    const query = `agent=a&session=${sessionId}&cwd=${encodeURIComponent(workspaceFolder())}`;
    const behind = [0, { inactive: true }];
    await vscode.commands.executeCommand(
      '_workbench.openWith',
      uriOf(title, query),
      viewType,
      behind,
    );
  }

  it('names a tab that wasn’t looked at as its session is called, in its place', async () => {
    await click('Two');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await openBehind('Untitled session.acp-session', 's1');
    await shows('Two,One');
    assert.equal(bench.api.sessions.find('a', 's1'), undefined, 'the session isn’t opened for it');
    assert.equal(bench.api.panels.active?.session.title, 'Two', 'the active tab stays');
    await writeFile(bench.file('push'), '');
    await shows('Two,New');
    await click('New');
    await shows('Two,New');
  });

  it('names a tab as the user does, also with slashes, whether it was looked at or not', async () => {
    await click('Two');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await openBehind('One', 's1');
    for (const [sessionId, name] of Object.entries({ s1: 'src/a \\ b', s2: 'Mine.md' })) {
      await bench.api.marks.setAlias({ agentId: 'a', sessionId }, name);
    }
    await shows('Mine.md,src∕a ⧵ b');
    await bench.api.marks.setAlias({ agentId: 'a', sessionId: 's1' }, undefined);
    await bench.api.marks.setAlias({ agentId: 'a', sessionId: 's2' }, undefined);
    await shows('Two,One');
  });

  it('is no file, whose name VS Code would show above it', async () => {
    await click('One');
    const [tab] = allTranscriptTabs();
    assert.ok(tab?.input instanceof vscode.TabInputCustom);
    const { uri } = tab.input;
    assert.equal(uri.path, '/One');
    await assert.rejects(async () => vscode.workspace.fs.stat(uri), /No file system provider/i);
  });

  it('is taken for a text on request, and for a transcript again', async () => {
    await click('One');
    const [tab] = allTranscriptTabs();
    assert.ok(tab?.input instanceof vscode.TabInputCustom);
    const { uri } = tab.input;
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
    const document = await waitFor(() => vscode.window.activeTextEditor?.document, 'the text');
    assert.equal(document.uri.toString(), uri.toString());
    await waitFor(() => /Hello/.test(document.getText()), 'what was said');
    await vscode.commands.executeCommand('vscode.openWith', uri, viewType);
    await waitFor(() => bench.api.panels.active?.session.title === 'One', 'the transcript');
  });
});
