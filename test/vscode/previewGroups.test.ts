import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { decideInPreview, shownPreview, tabLabels } from './harness/previews';
import { ExtensionBench, waitFor } from './harness/support';

describe('previews that ask', () => {
  let bench: ExtensionBench;
  let file: vscode.Uri;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    file = vscode.Uri.file(bench.file('a.txt'));
    await writeFile(file.fsPath, 'now\n');
  });
  afterEach(() => bench.dispose());

  /** Resolves with the choice. */
  async function asked(): Promise<string | undefined> {
    const answer = await bench.api.previews.ask(
      'one',
      () => Promise.resolve('planned'),
      () =>
        Promise.resolve({
          title: 'Change a.txt',
          question: 'Change it?',
          choices: [['apply', 'It changes.']] as const,
          notes: [],
          files: [[file, file, bench.api.documents.addState(file, 'then\n')]] as const,
        }),
    );
    return answer?.choice;
  }

  it('stay open in another group, and make room for another one about the same', async () => {
    const first = asked();
    await shownPreview();
    await vscode.window.showTextDocument(file, { preview: false });
    const at = tabLabels().findIndex((label) => label.startsWith('Change a.txt ('));
    await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', at);
    await waitFor(() => bench.api.previews.active, 'the preview');
    await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await waitFor(() => vscode.window.tabGroups.all.length === 2, 'the other group');
    await waitFor(() => bench.api.previews.active, 'the preview there');
    const second = asked();
    assert.equal(await first, undefined);
    await decideInPreview('apply');
    assert.equal(await second, 'apply');
  });
});
