import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ableInitialize, update } from '../fakeAgent/scenario';
import { Dialogs } from './harness/dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor } from './harness/support';

describe('a session as a text in VS Code', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'One / 1')],
        on: {
          'session/load': [
            { updates: [update.user('Hello'), update.agent('# Hi\n\n```\nopen')] },
            { result: {} },
          ],
          'session/prompt': [
            { update: update.agent('More') },
            { result: { stopReason: 'end_turn' } },
          ],
        },
      }),
    });
  });
  afterEach(() => bench.dispose());

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.session.${command}`, ...args);
  }

  /** "Export…", and then "Open as Text". */
  async function openAsText(row: unknown): Promise<void> {
    const dialogs = new Dialogs();
    dialogs.answer = () => 'Open as Text';
    await run('export', row);
    dialogs.dispose();
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

  it('shows a session as Markdown that goes on with it, and says when it is closed', async () => {
    const one = await bench.session('One / 1');
    await openAsText(one);
    const { languageId, uri } = await shownText(/This session is closed[^]*# One[^]*## 1\. Hello/);
    assert.equal(languageId, 'markdown');
    assert.ok(vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true);
    await run('open', one);
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab to have the focus');
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
    await shownText(/^# One/);
    session.turns.submit({ text: 'Go on', attachments: [] });
    await shownText(/## 2\. Go on\n\n### You\n\nGo on\n\n### A\n\nMore\n$/);
    await run('close', one);
    await shownText(/^\*This session is closed[^]*More\n$/);
  });

  it('has headings for the outline', async () => {
    await openAsText(await bench.session('One / 1'));
    const { uri } = await shownText(/Hello/);
    const symbols = await waitFor(async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
        'vscode.executeDocumentSymbolProvider',
        uri,
      );
      return found !== undefined && found.length > 0 && found;
    }, 'the outline');
    const names = (all: readonly vscode.DocumentSymbol[]): string[] =>
      all.flatMap(({ name, children }) => [name, ...names(children)]);
    assert.deepEqual(names(symbols), ['# One / 1', '## 1. Hello', '### You', '### A', '#### Hi']);
  });
});
