import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tellOfInterrupted } from '../../../src/features/notifications/interrupted';
import { toSavedTranscript } from '../../../src/model/kept/savedTranscript';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import type { SessionNode } from '../../../src/views/sessions/nodes/nodes';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  transcriptTabs,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';
import { useBench } from './useBench';

function draft(text: string) {
  return { text, attachments: [] };
}

for (const protocol of ['1', '2'] as const) {
  describe(`a turn with the embedded agent over version ${protocol} of the protocol`, () => {
    const demo = { title: 'Demo', command: '${demoAgent}', protocol };
    let bench: ExtensionBench;
    let dialogs: Dialogs;
    useBench(async (...made) => {
      [bench, dialogs] = made;
      process.env['ACP_SESSIONS_DEMO_STORE'] = bench.file('store');
      await update('agents', { demo });
      await waitFor(() => bench.api.agents.get('demo'), 'the demo agent');
    });
    afterEach(() => {
      delete process.env['ACP_SESSIONS_DEMO_STORE'];
    });

    async function newSession(): Promise<TranscriptPanel> {
      const before = new Set(bench.api.sessions.all);
      await beginSession(bench.api);
      const session = await waitFor(
        () => bench.api.sessions.all.find((one) => !before.has(one)),
        'the new session',
      );
      const { id } = session.agent;
      return waitFor(() => bench.api.panels.find(id, session.info.sessionId), 'its tab');
    }

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

    function iconOf({ panel }: TranscriptPanel): string {
      const icon = panel.iconPath;
      return icon !== undefined && 'light' in icon ? icon.light.path : '';
    }

    function isBell(row: vscode.TreeItem | undefined): boolean {
      return (row?.iconPath as vscode.ThemeIcon | undefined)?.id === 'bell-dot';
    }

    function rowOf({ session }: TranscriptPanel): vscode.TreeItem | undefined {
      const node = bench
        .nodes()
        .find((one) => one.kind === 'session' && one.row.info.sessionId === session.info.sessionId);
      return node && bench.api.view.getTreeItem(node);
    }

    function tooltipOf(node: SessionNode): string {
      const tooltip = bench.api.tree.tooltip(node);
      assert.ok(typeof tooltip === 'string', 'a text without any markup');
      return tooltip;
    }

    it('NEW-1: makes a session in the folder, whose row is there at once', async () => {
      bench.nodes();
      const tab = await newSession();
      assert.equal(tab.session.info.cwd, workspaceFolder());
      const row = await waitFor(() => rowOf(tab), 'its row');
      assert.match(row.contextValue ?? '', /\bopen\b/);
      await waitFor(() => transcriptTabs().length === 1, 'the one tab');
    });

    it('PE-1, PE-2: shows everywhere that a session needs the user, and accepts the answer from the list', async () => {
      bench.nodes();
      const tab = await newSession();
      tab.session.turns.submit(draft('/permission'));
      await waitFor(() => tab.session.requests.waiting.length === 1, 'the question');
      await waitFor(() => iconOf(tab).includes('needsYou'), 'the tab’s icon');
      await waitFor(() => isBell(rowOf(tab)), 'the row');
      assert.equal(bench.api.sessions.waiting.length, 1);
      dialogs.answer = ({ kind, choices, text }) => {
        if (kind !== 'pick') {
          return undefined;
        }
        return text === 'Waiting Requests' ? choices[0] : '$(check) Allow once';
      };
      await vscode.commands.executeCommand('acpSessions.requests.pick');
      const [, second] = dialogs.asked.filter(({ kind }) => kind === 'pick');
      assert.ok(second?.choices.includes('npm run deploy -- --env staging'), 'the title in full');
      await waitFor(() => tab.session.turns.current.kind === 'idle', 'the turn to end');
      const entry = tab.session.shown.entries.find(({ kind }) => kind === 'permission');
      assert.ok(entry?.kind === 'permission');
      assert.deepEqual(entry.state, { kind: 'selected', optionId: 'allow', by: 'person' });
      assert.equal(bench.api.sessions.waiting.length, 0);
    });

    it('goes from one waiting request to the next, over all sessions', async () => {
      const first = await newSession();
      const second = await newSession();
      first.session.turns.submit(draft('/permission'));
      await waitFor(() => bench.api.sessions.waiting.length === 1, 'the first question');
      second.session.turns.submit(draft('/permission'));
      await waitFor(() => bench.api.sessions.waiting.length === 2, 'the second question');
      for (const tab of [first, second, first]) {
        const sent = spy(tab);
        await vscode.commands.executeCommand('acpSessions.request.next');
        await waitFor(() => tab.panel.active, 'its tab');
        const reveal = await waitFor(() => sent.find(({ type }) => type === 'reveal'), 'its card');
        assert.ok(reveal.type === 'reveal' && reveal.index === tab.session.requests.waiting[0]);
      }
      first.session.turns.cancel();
      second.session.turns.cancel();
      await waitFor(() => bench.api.sessions.waiting.length === 0, 'the questions to go');
    });

    it('tells of a turn that ends out of sight, once, and marks the session until it is seen', async () => {
      const hidden = await newSession();
      const other = await newSession();
      await waitFor(() => !hidden.panel.visible, 'the tab to be hidden');
      hidden.session.turns.submit(draft('Hello'));
      await waitFor(() => iconOf(hidden).includes('unread'), 'the mark');
      assert.equal(
        dialogs.texts('information').filter((text) => /has finished/.test(text)).length,
        1,
      );
      other.session.turns.submit(draft('Hello'));
      await waitFor(() => other.session.turns.current.kind === 'idle', 'the other turn');
      assert.equal(
        dialogs.texts('information').filter((text) => /has finished/.test(text)).length,
        1,
      );
      hidden.panel.reveal();
      await waitFor(() => !iconOf(hidden).includes('unread'), 'the mark to go');
    });

    it('a turn outlives its tab: the row says so, and a click brings the tab back', async () => {
      bench.nodes();
      const tab = await newSession();
      const { session } = tab;
      session.turns.submit(draft('/slow 60'));
      // It keeps no session whose prompt it hasn't got.
      await waitFor(
        () => session.shown.entries.some(({ kind }) => kind === 'toolCall'),
        'the agent at work',
      );
      await waitFor(() => iconOf(tab).includes('running'), 'the tab’s icon');
      tab.panel.dispose();
      await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
      assert.equal(session.turns.current.kind, 'running');
      assert.deepEqual(dialogs.asked, [], 'nobody is asked or told');
      const row = await waitFor(() => rowOf(tab), 'its row');
      assert.equal((row.iconPath as vscode.ThemeIcon).id, 'loading~spin');
      assert.match(row.contextValue ?? '', /\bstoppable\b/);
      const node = await bench.session(session.title);
      assert.match(tooltipOf(node), /Continues without its tab/);
      await bench.click(node);
      const again = await waitFor(
        () => bench.api.panels.find(session.agent.id, session.info.sessionId),
        'its tab',
      );
      assert.equal(again.session, session);
      assert.equal(session.turns.current.kind, 'running');
      again.panel.dispose();
      await vscode.commands.executeCommand('acpSessions.session.stop', node);
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to be let go');
      await waitFor(() => rowOf(tab)?.contextValue?.includes('unread'), 'its mark');
    });

    it('a session that has nothing to do is let go with its tab, without a word', async () => {
      const quiet = await newSession();
      quiet.panel.dispose();
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
      assert.deepEqual(dialogs.asked, []);
    });

    it('PE-1: a question without a tab is counted, told, and leads to its tab', async () => {
      bench.nodes();
      const tab = await newSession();
      const { session } = tab;
      session.turns.submit(draft('/permission'));
      await waitFor(() => session.requests.waiting.length === 1, 'the question');
      tab.panel.dispose();
      await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
      assert.equal(bench.api.sessions.waiting.length, 1);
      await waitFor(() => isBell(rowOf(tab)), 'the row');
      await vscode.commands.executeCommand('acpSessions.request.next');
      const again = await waitFor(
        () => bench.api.panels.find(session.agent.id, session.info.sessionId),
        'its tab',
      );
      assert.equal(again.session, session);
      session.turns.cancel();
      await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
    });

    it('CLOSE-4: Close Session asks before it stops what goes on, tab or not', async () => {
      bench.nodes();
      const tab = await newSession();
      const { session } = tab;
      session.turns.submit(draft('/slow 60'));
      await waitFor(() => session.turns.current.kind === 'running', 'the turn');
      tab.panel.dispose();
      const node = await bench.session(session.title);
      await vscode.commands.executeCommand('acpSessions.session.close', node);
      assert.match(dialogs.texts('warning').join(), /is still working. Stop it\?/);
      assert.equal(session.turns.current.kind, 'running');
      await vscode.commands.executeCommand('acpSessions.agent.restart');
      assert.equal(dialogs.texts('warning').at(-1), 'Demo is still working. Stop it?');
      assert.equal(session.turns.current.kind, 'running');
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Stop and Close');
      await vscode.commands.executeCommand('acpSessions.session.close', node);
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
    });

    it('goes on in its process when the settings of its agent change, and the agent restarts after it', async () => {
      await bench.api.choices.setGrouping('agent');
      bench.nodes();
      const tab = await newSession();
      const { session } = tab;
      const agent = await waitFor(() => bench.api.agents.get('demo'), 'its agent');
      session.turns.submit(draft('/slow 60'));
      await waitFor(() => session.turns.current.kind === 'running', 'the turn');
      const changed = { ...demo, env: { CHANGED: 'yes' } };
      await update('agents', { demo: changed, other: { title: 'Other', command: 'nothing' } });
      await waitFor(() => agent.changesLater, 'the change to be noticed');
      assert.equal(session.turns.current.kind, 'running');
      const row = bench.nodes().find((node) => node.kind === 'agent' && node.agent === agent);
      assert.equal(row && bench.api.view.getTreeItem(row).description, 'restarts when done');
      session.turns.cancel();
      const next = await waitFor(() => {
        const now = bench.api.agents.get('demo');
        return now !== agent && now;
      }, 'the agent to be replaced');
      assert.equal(next.config.env['CHANGED'], 'yes');
      assert.equal(next.changesLater, false);
      assert.deepEqual(dialogs.asked, []);
      tab.panel.dispose();
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
    });

    it('keeps the draft when its tab is closed, and puts it into the next tab', async () => {
      const tab = await newSession();
      const { agent, info } = tab.session;
      const saved = { agentId: agent.id, ...info, title: '' };
      bench.api.work.setDraft(saved, draft('half a sentence'));
      tab.panel.dispose();
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
      const found = bench.api.agents.get(agent.id);
      assert.ok(found);
      const phases = new Set<string>();
      const noting = bench.api.sessions.onDidChange(({ info: { sessionId }, phase }) => {
        if (sessionId === info.sessionId) {
          phases.add(phase.kind);
        }
      });
      await bench.api.panels.open(found, info);
      // The agent keeps no session that was never prompted, so another one takes its place.
      const { session } = await waitFor(() => {
        const active = bench.api.panels.active;
        return active !== undefined && active.session.info.sessionId !== info.sessionId
          ? active
          : undefined;
      }, 'the next tab');
      noting.dispose();
      assert.deepEqual([...phases], ['loading'], 'it is never said to be gone');
      const { work } = bench.api;
      assert.deepEqual(work.getDraft(agent.id, session.info.sessionId), {
        draft: draft('half a sentence'),
        left: 0,
      });
      work.setDraft(toSavedTranscript(session), draft(''));
    });

    it('tells once of turns that went with the window before, and leads to one of them', async () => {
      const tab = await newSession();
      const { agent, info } = tab.session;
      tab.panel.dispose();
      await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
      const saved = { agentId: agent.id, ...info, title: 'Fix the parser' };
      const seen: string[] = [];
      dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[1] : 'Show');
      const told = tellOfInterrupted({
        ...bench.api,
        work: {
          read: () => Promise.resolve(),
          interrupted: [{ ...saved, sessionId: 'other', title: 'Other' }, saved],
          see: (_, sessionId) => seen.push(sessionId),
        },
      });
      const shown = await waitFor(() => bench.api.panels.find(agent.id, info.sessionId), 'its tab');
      await waitFor(() => seen.includes(info.sessionId), 'it to be seen');
      assert.deepEqual(
        dialogs.asked.map(({ text }) => text),
        [
          '2 sessions were interrupted when the window was reloaded or closed.',
          'Interrupted Sessions',
        ],
      );
      shown.panel.dispose();
      told.dispose();
    });

    it('puts a selection and a file into the draft', async () => {
      const tab = await newSession();
      const sent = spy(tab);
      const uri = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), 'package.json');
      const editor = await vscode.window.showTextDocument(uri, {
        viewColumn: vscode.ViewColumn.Two,
      });
      editor.selection = new vscode.Selection(1, 0, 3, 0);
      await vscode.commands.executeCommand('acpSessions.session.addSelection');
      const attach = await waitFor(
        () => sent.find(({ type }) => type === 'attach'),
        'the selection',
      );
      assert.ok(attach.type === 'attach');
      const [selection] = attach.attachments;
      assert.ok(selection?.type === 'selection');
      assert.deepEqual([selection.startLine, selection.endLine], [2, 3]);
      assert.equal(selection.name, 'package.json');
      sent.splice(0);
      await vscode.commands.executeCommand('acpSessions.session.addFile', uri, [uri]);
      const file = await waitFor(() => sent.find(({ type }) => type === 'attach'), 'the file');
      assert.ok(file.type === 'attach' && file.attachments[0]?.type === 'file');
      await waitFor(() => sent.some(({ type }) => type === 'command'), 'the cursor');
    });
  });
}
