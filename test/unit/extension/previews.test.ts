import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { choiceLabels, type Preview } from '../../../src/views/previews/previews';
import { commandIds } from '../../support/commandIds';
import { decideInPreview, shownPreview, tabLabels } from '../../vscode/harness/previews';
import { ExtensionBench, extension, waitFor } from '../../vscode/harness/support';

type Choice = 'restore' | 'apply' | 'applyWithoutConflicts';

describe('previews that ask', () => {
  let bench: ExtensionBench;
  let file: vscode.Uri;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    file = vscode.Uri.file(bench.file('a.txt'));
    await writeFile(file.fsPath, 'now\n');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await bench.dispose();
  });

  function preview(...choices: Choice[]): Preview<Choice> {
    const after = bench.api.documents.addState(file, 'then\n');
    return {
      title: 'Change a.txt',
      question: 'Change it?',
      choices: choices.map((choice) => [choice, 'It changes.']),
      notes: ['Much is at stake.'],
      files: [[file, file, after]],
    };
  }

  /** Resolves with the choice. */
  async function asked(about: string, ...choices: Choice[]): Promise<string | undefined> {
    const answer = await bench.api.previews.ask(
      about,
      () => Promise.resolve('planned'),
      () => Promise.resolve(preview(...choices)),
    );
    return answer?.choice;
  }

  /** VS Code adds the number of files. */
  const indexOf = (title: string): number =>
    tabLabels().findIndex((label) => label === title || label.startsWith(`${title} (`));
  const isOpen = (title: string): boolean => indexOf(title) !== -1;

  async function show(title: string): Promise<void> {
    const index = indexOf(title);
    await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
    await waitFor(() => bench.api.previews.active?.title === title, title);
  }

  it('say what is asked and what each button does, above the files', async () => {
    const answer = asked('one', 'apply', 'applyWithoutConflicts');
    const { title, lines } = await decideInPreview('applyWithoutConflicts');
    assert.equal(await answer, 'applyWithoutConflicts');
    assert.equal(title, 'Change a.txt');
    assert.deepEqual(lines, [
      'Change it?',
      '',
      'Apply These Changes: It changes.',
      'Apply What Has No Conflict: It changes.',
      '',
      'The buttons are above. Ctrl+Enter, or ⌘Enter on',
      '    macOS, is the first one.',
      'Close this editor to change nothing.',
      '',
      'Much is at stake.',
    ]);
    assert.ok(!isOpen(title), 'it is closed');
  });

  it('name their buttons as the manifest does', () => {
    const { contributes } = extension().packageJSON as {
      contributes: { commands: readonly { command: string; title: string }[] };
    };
    const titles = Object.fromEntries(
      contributes.commands.map(({ command, title }) => [command, title]),
    );
    for (const [choice, label] of Object.entries(choiceLabels)) {
      assert.equal(titles[`acpSessions.preview.${choice}`], label);
    }
  });

  it('decide each about their own, also of the same name', async () => {
    const one = asked('one', 'apply');
    await shownPreview();
    const other = asked('other', 'apply', 'applyWithoutConflicts');
    await waitFor(() => bench.api.previews.active?.title === 'Change a.txt · 2', 'the other');
    await show('Change a.txt');
    await vscode.commands.executeCommand(commandIds.previewApply);
    assert.equal(await one, 'apply');
    assert.ok(isOpen('Change a.txt · 2'));
    await show('Change a.txt · 2');
    await vscode.commands.executeCommand(commandIds.previewApplyWithoutConflicts);
    assert.equal(await other, 'applyWithoutConflicts');
  });

  it('take no answer that they don’t offer, and none while another editor is active', async () => {
    const answer = asked('one', 'apply');
    await shownPreview();
    await vscode.commands.executeCommand(commandIds.previewRestore);
    assert.ok(isOpen('Change a.txt'));
    await vscode.window.showTextDocument(file, { preview: true });
    await waitFor(() => bench.api.previews.active === undefined, 'the file');
    await vscode.commands.executeCommand(commandIds.previewApply);
    assert.ok(isOpen('Change a.txt'), 'what is opened next doesn’t take its place');
    await show('Change a.txt');
    await decideInPreview('apply');
    assert.equal(await answer, 'apply');
  });

  it('decide nothing when they are closed', async () => {
    const answer = asked('one', 'apply');
    await shownPreview();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await answer, undefined);
    assert.equal(bench.api.previews.active, undefined);
  });
});
