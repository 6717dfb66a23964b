import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ableInitialize, update } from '../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, waitFor, workspaceFolder } from './harness/support';

describe('comments in VS Code', () => {
  let bench: ExtensionBench;
  const file = (): string => path.join(workspaceFolder(), 'commented.txt');
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await writeFile(file(), 'one\ntwo\nthree\nfour\n');
  });
  afterEach(async () => {
    const { comments } = await bench.api.commenting.get();
    for (const { saved, comments: own } of comments.all) {
      for (const { id } of own) {
        comments.remove(saved, id);
      }
    }
    await bench.dispose();
    await rm(file(), { force: true });
  });

  /** What is in the editor of a comment; a field for replies names the controller. */
  function written(): string | undefined {
    const documents = vscode.workspace.textDocuments;
    return documents.find(({ uri }) => uri.scheme === 'comment' && uri.authority === '')?.getText();
  }

  it('are typed below lines, follow them, and are sent', async () => {
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first')],
        replays: { s1: [{ updates: [update.user('Go'), update.agent('Done')] }] },
        on: { 'session/prompt': [{ result: { stopReason: 'end_turn' } }] },
        record: bench.file('log'),
      }),
    });
    await vscode.commands.executeCommand(
      'acpSessions.session.open',
      await bench.session('The first'),
    );
    const panel = await waitFor(() => bench.api.panels.find('fake', 's1'), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file()));
    editor.selection = new vscode.Selection(1, 3, 1, 3);
    await vscode.commands.executeCommand('acpSessions.comments.comment');
    const { comments } = await bench.api.commenting.get();
    const all = () => comments.all.flatMap((one) => one.comments);
    await waitFor(() => written() !== undefined, 'the field below the lines');
    await vscode.commands.executeCommand('type', { text: 'Why?' });
    await waitFor(() => written() === 'Why?', 'the text, in the field that has the focus');
    await waitFor(async () => {
      // Its button is enabled in a moment.
      await vscode.commands.executeCommand('editor.action.submitComment');
      return all().length > 0;
    }, 'the comment');
    assert.equal(all()[0]?.said[0], 'Why?');
    assert.deepEqual([all()[0]?.first, all()[0]?.last], [1, 1]);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    await waitFor(() => all()[0]?.first === 2, 'the new place');
    await vscode.commands.executeCommand('acpSessions.comments.send');
    await waitFor(() => all()[0]?.state === 'sent', 'the mark');
    const sent = await waitFor(
      async () => (await bench.received('log')).find(({ method }) => method === 'session/prompt'),
      'the prompt',
    );
    assert.match(JSON.stringify(sent), /commented\.txt#L3"/);
    await editor.document.save();
  });
});
