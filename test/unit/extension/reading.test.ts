import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { update } from '../../fakeAgent/scenario';
import { Dialogs } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';

const second = 'Then **this**:\n\n```ts\nlet a = 1;\n```\n';

describe('reading a transcript', () => {
  let bench: ExtensionBench;
  let tab: TranscriptPanel;
  let sent: ToWebview[];

  beforeEach(async () => {
    bench = await ExtensionBench.create();
    const updates = [
      update.user('First $(bug)'),
      update.agent('One'),
      update.user('Second'),
      update.agent(second),
    ];
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One')],
        replays: { s1: [{ updates }, { result: {} }] },
      }),
    });
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    tab = await waitFor(() => bench.api.panels.active, 'the tab');
    const { webview } = tab.panel;
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
    const post = webview.postMessage.bind(webview);
    webview.postMessage = (message: ToWebview) => {
      sent.push(message);
      return post(message);
    };
    sent = [];
  });
  afterEach(() => bench.dispose());

  function run(command: string, argument?: unknown): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.transcript.${command}`, argument);
  }

  /** The entries that the host asked the page to preview; `undefined` means going back. */
  function previews(): (number | undefined)[] {
    return sent.flatMap((message) => (message.type === 'preview' ? [message.index] : []));
  }

  it('copies an entry as it was written, and a turn as Markdown', async () => {
    await run('copyEntry', { webviewSection: 'entry', entry: 3 });
    assert.equal(await vscode.env.clipboard.readText(), second);
    await run('copyTurn', { webviewSection: 'entry', entry: 3 });
    const turn = await vscode.env.clipboard.readText();
    assert.match(turn, /Second[^]*Then \*\*this\*\*:[^]*let a = 1;/);
    assert.doesNotMatch(turn, /First|One/);
  });

  it('copies nothing if there is no entry', async () => {
    await vscode.env.clipboard.writeText('before');
    await run('copyEntry', { entry: 99 });
    await run('copyTurn', { entry: 1e9 });
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });

  it('asks the webview for the visible entry if none is given', async () => {
    await run('copyEntry', { entry: -1 });
    await run('copyCode');
    await waitFor(
      () => sent.filter(({ type }) => type === 'copy').length === 2,
      'both questions to the webview',
    );
  });

  it('shows turns while one is chosen, goes back at Escape and on at Enter', async () => {
    const pickers = new Pickers();
    const escaped = run('go', { to: 'turn' });
    await pickers.next();
    await waitFor(() => previews().includes(2), 'the second turn');
    await pickers.close();
    await escaped;
    assert.equal(previews().at(-1), undefined);
    const accepted = run('go', { to: 'turn' });
    await pickers.next();
    await waitFor(() => previews().at(-1) === 2, 'the second turn again');
    await pickers.accept(accepted);
    pickers.dispose();
    assert.ok(sent.some((message) => message.type === 'reveal' && message.index === 2));
  });

  /** What the host asked the page to do at commands. */
  async function asked(count: number): Promise<readonly ToWebview[]> {
    return await waitFor(() => {
      const found = sent.filter(({ type }) => type === 'go' || type === 'fold');
      return found.length === count && found;
    }, 'all of them');
  }

  it('moves on and folds as the args of keybindings say', async () => {
    await run('go', { to: 'turn', direction: 'next' });
    await run('go', { to: 'error', direction: 'previous' });
    await run('fold', { what: 'tool', open: true });
    await run('fold', { what: 'thought', open: false });
    assert.deepEqual(await asked(4), [
      { type: 'go', target: 'turn', direction: 'next' },
      { type: 'go', target: 'error', direction: 'previous' },
      { type: 'fold', kind: 'tool', open: true },
      { type: 'fold', kind: 'thought', open: false },
    ]);
  });

  it('asks where to go and what to fold without args, and with ones that mean nothing', async () => {
    const dialogs = new Dialogs();
    const answers = ['Previous Change', 'Expand All Thoughts', undefined];
    dialogs.answer = () => answers.shift();
    await run('go', { to: 'turn', direction: 'sideways' });
    await run('fold');
    await run('fold', ['all', true]);
    dialogs.dispose();
    assert.equal(dialogs.asked.length, 3);
    assert.deepEqual(await asked(2), [
      { type: 'go', target: 'diff', direction: 'previous' },
      { type: 'fold', kind: 'thought', open: true },
    ]);
  });
});
