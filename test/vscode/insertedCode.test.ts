import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LastEditor } from '../../src/platform/ui/lastEditor';
import type { TranscriptPanel } from '../../src/views/transcript/tabs/panel';
import { useCode } from '../../src/views/transcript/text/code';
import { update } from '../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, waitFor } from './harness/support';

describe('reading a transcript', () => {
  let bench: ExtensionBench;
  let tab: TranscriptPanel;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    const updates = [update.user('First'), update.agent('```ts\nlet a = 1;\n```\n')];
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One')],
        replays: { s1: [{ updates }, { result: {} }] },
      }),
    });
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    tab = await waitFor(() => bench.api.panels.active, 'the tab');
    // VS Code focuses a page when it has loaded, which would take the keys from the file.
    await new Promise((resolve) => void tab.panel.webview.onDidReceiveMessage(resolve));
    await waitFor(() => tab.session.phase.kind === 'ready', 'the history');
  });
  afterEach(() => bench.dispose());

  it('CO-1, SEC-37: inserts code at the cursor of the last text editor as one step, and opens it as a file of its language', async () => {
    const file = await vscode.workspace.openTextDocument({ content: 'one\ntwo\n' });
    const last = new LastEditor();
    const editor = await vscode.window.showTextDocument(file);
    await waitFor(() => last.name === file.uri.path, 'the editor to be known');
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    await waitFor(() => tab.panel.active, 'the transcript in front of the file');
    const place = { index: 1, part: 'blocks', item: 0, at: 0 } as const;
    await useCode(tab.session, last, { type: 'useCode', how: 'insert', language: 'ts', ...place });
    await waitFor(() => file.getText() === 'one\nlet a = 1;\n', 'the code in the file');
    await vscode.commands.executeCommand('undo');
    await waitFor(() => file.getText() === 'one\ntwo\n', 'the file as it was');
    await useCode(tab.session, last, { type: 'useCode', how: 'open', language: 'ts', ...place });
    const opened = await waitFor(() => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.getText() === 'let a = 1;' ? document : undefined;
    }, 'the code in an editor of its own');
    assert.deepEqual([opened.isUntitled, opened.languageId], [true, 'typescript']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await waitFor(() => last.name === undefined, 'the editor to be closed');
    last.dispose();
  });
});
