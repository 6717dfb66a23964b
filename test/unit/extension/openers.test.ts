import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { openFile, openLink } from '../../../src/platform/openers';
import { openDiff, openText } from '../../../src/views/transcript/text/openParts';
import { ExtensionBench, waitFor } from '../../vscode/harness/support';

describe('opening what a transcript points to', () => {
  let bench: ExtensionBench;
  let context: { readonly cwd: string; readonly roots: readonly string[] };
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    context = { cwd: bench.folder, roots: [bench.folder] };
  });
  afterEach(() => bench.dispose());

  async function activeEditor(name: string): Promise<vscode.TextEditor> {
    return waitFor(() => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.path.endsWith(`/${name}`) === true && editor;
    }, `an editor with ${name}`);
  }

  function diffTab(): vscode.TabInputTextDiff | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  }

  it('TR-12: opens a file at a line, counted from one and clamped to the file', async () => {
    await writeFile(bench.file('a.txt'), 'one\ntwo\nthree');
    for (const [line, row] of [
      [2, 1],
      [0, 0],
      [99, 2],
    ] as const) {
      await openFile('a.txt', line, context);
      assert.equal((await activeEditor('a.txt')).selection.active.line, row);
    }
  });

  it('opens a relative link to a file with its line', async () => {
    await mkdir(bench.file('sub dir'));
    await writeFile(path.join(bench.file('sub dir'), 'b.md'), 'one\ntwo\n');
    await openLink('sub%20dir/b.md#L2', context);
    assert.equal((await activeEditor('b.md')).selection.active.line, 1);
  });

  it('opens nothing for a link that is refused, and for a file that is gone', async () => {
    for (const href of ['command:workbench.action.newWindow', 'javascript:alert(1)', 'gone.txt']) {
      await openLink(href, context);
    }
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('opens no pipe, and waits for none', async () => {
    execFileSync('mkfifo', [bench.file('pipe')]);
    await openLink('pipe', context);
    await openLink('pipe#L3', context);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('opens a long text in full, read-only, in its language', async () => {
    const text = '# Title\n'.repeat(20_000);
    await openText(bench.api.documents, { name: 'message.md', text });
    const editor = await activeEditor('message.md');
    assert.equal(editor.document.getText(), text);
    assert.equal(editor.document.languageId, 'markdown');
  });

  it('compares a change with the file as long as the file is as the change left it', async () => {
    const file = bench.file('c.ts');
    const diff = { type: 'diff', path: file, oldText: 'a\n', newText: 'b\n' } as const;
    await writeFile(file, 'b\n');
    await openDiff(bench.api.documents, diff, context);
    const same = await waitFor(diffTab, 'the diff');
    assert.equal(same.modified.scheme, 'file');
    assert.equal(same.original.scheme, 'acp-session');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');

    await writeFile(file, 'something else\n');
    await openDiff(bench.api.documents, diff, context);
    const recorded = await waitFor(diffTab, 'the diff');
    assert.equal(recorded.modified.scheme, 'acp-session');
    const document = await vscode.workspace.openTextDocument(recorded.modified);
    assert.equal(document.getText(), 'b\n');
    const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    assert.equal(label, 'c.ts (change as recorded)');
  });

  it('keeps a bounded number of texts that no editor shows, the newest', () => {
    const { documents } = bench.api;
    const uris = Array.from({ length: 600 }, (_, index) => documents.add('a.md', `text ${index}`));
    const [oldest, newest] = [uris[0], uris.at(-1)];
    assert.ok(oldest && newest);
    assert.match(documents.provideTextDocumentContent(oldest), /no longer kept/);
    assert.equal(documents.provideTextDocumentContent(newest), 'text 599');
  });

  it('says so when a text is no longer kept', async () => {
    const uri = vscode.Uri.from({ scheme: 'acp-session', path: '/0/message.md' });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /no longer kept/);
  });
});
