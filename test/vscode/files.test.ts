import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpError, AcpErrorCode } from '../../src/protocol/errors';
import { replaceMember } from './harness/dialogs';
import { ExtensionBench, waitFor } from './harness/support';

describe('files of agents', () => {
  let bench: ExtensionBench;
  let questions: string[];
  let answer: () => Promise<boolean>;
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    questions = [];
    answer = () => Promise.resolve(false);
    restore = replaceMember(vscode.window, 'showErrorMessage', async (question: string) => {
      questions.push(question);
      return (await answer()) ? 'Overwrite' : undefined;
    });
  });
  afterEach(async () => {
    restore();
    await revertAll();
    await bench.dispose();
  });

  /** The files as the extension passes them on to agents that work in the test's folder. */
  const files = {
    read: (file: string): Promise<string> =>
      bench.api.files.read([bench.folder], { sessionId: 's', path: file }),
    write: (file: string, content: string, agent: string, signal?: AbortSignal): Promise<void> =>
      bench.api.files.write([bench.folder], { path: file, content }, agent, signal),
  };

  async function revertAll(): Promise<void> {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  }

  async function onDisk(file: string): Promise<string> {
    return readFile(file, 'utf8');
  }

  async function show(file: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
  }

  /** Opens an editor and gives it an unsaved text. */
  async function showDirty(file: string, text: string): Promise<vscode.TextDocument> {
    const editor = await show(file);
    const all = editor.document.validateRange(new vscode.Range(0, 0, 9999, 0));
    await editor.edit((edit) => edit.replace(all, text));
    assert.ok(editor.document.isDirty);
    return editor.document;
  }

  /**
   * Waits for an editor to show its changed file. VS Code begins to watch a file some time after it has opened it, and
   * misses what happens before: a new time on the disk makes it look again.
   */
  async function becomes(document: vscode.TextDocument, file: string, text: string): Promise<void> {
    let touched = Date.now();
    await waitFor(async () => {
      if (Date.now() - touched > 1000) {
        touched = Date.now();
        await utimes(file, new Date(), new Date());
      }
      return document.getText() === text;
    }, 'the editor to show it');
  }

  /** `reason`: what the agent is told; not checked if it is left out. */
  async function refused(
    request: Promise<unknown>,
    code: AcpErrorCode,
    reason?: string,
  ): Promise<void> {
    await assert.rejects(request, (error: AcpError) => {
      assert.equal(error.code, code, error.stack);
      assert.equal(error.facts.reason, reason ?? error.facts.reason, error.stack);
      return true;
    });
  }

  function diffTab(): vscode.TabInputTextDiff | undefined {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map((tab) => tab.input));
    return inputs.find((input) => input instanceof vscode.TabInputTextDiff);
  }

  describe('reading', () => {
    it('FS-2: includes unsaved changes, also under another name of the file', async () => {
      const file = bench.file('a.txt');
      await writeFile(file, 'saved');
      assert.equal(await files.read(file), 'saved');
      const link = bench.file('link.txt');
      await symlink(file, link);
      await showDirty(link, 'unsaved');
      assert.equal(await files.read(file), 'unsaved');
    });

    it('FS-6: encodings are read as the editor would, without the mark', async () => {
      const utf8 = bench.file('utf8.txt');
      await writeFile(utf8, '\ufeffgrün\r\n');
      assert.equal(await files.read(utf8), 'grün\r\n');
      const utf16 = bench.file('utf16.txt');
      await writeFile(utf16, Buffer.from('\ufeffgrün', 'utf16le'));
      assert.equal(await files.read(utf16), 'grün');
    });

    it('FS-6: a binary file, a folder and a very large file are refused', async () => {
      const binary = bench.file('binary.bin');
      await writeFile(binary, Buffer.from([0x7f, 0x45, 0, 0, 1, 2, 0, 0xff]));
      await refused(files.read(binary), 'invalidParams', 'notText');
      await refused(files.write(binary, 'text', 'Agent'), 'invalidParams');
      await refused(files.read(bench.folder), 'invalidParams', 'isFolder');
      await refused(files.write(bench.folder, 'text', 'Agent'), 'invalidParams', 'isFolder');
      const large = bench.file('large.txt');
      await writeFile(large, '');
      await truncate(large, 100 * 1024 * 1024);
      await refused(files.read(large), 'invalidParams', 'tooLarge');
    });
  });

  describe('writing', () => {
    it('FS-6, SEC-28: a yes counts for the text that was shown, not for what the user has written since', async () => {
      const file = bench.file('dirty.txt');
      await writeFile(file, 'saved');
      const document = await showDirty(file, 'mine');
      answer = async () => {
        await showDirty(file, 'mine, and more');
        return true;
      };
      await refused(files.write(file, 'theirs', 'Agent'), 'cancelled');
      assert.equal(document.getText(), 'mine, and more');
      // VS Code may have saved it on its own.
      assert.notEqual(await onDisk(file), 'theirs');
    });

    it('DIR-7: a yes counts for the file that was asked about, not for one behind a link', async () => {
      await mkdir(bench.file('in'));
      await mkdir(bench.file('outside'));
      await writeFile(bench.file('in/a.txt'), 'saved');
      await writeFile(bench.file('outside/a.txt'), 'outside');
      const document = await showDirty(bench.file('in/a.txt'), 'mine');
      answer = async () => {
        await rename(bench.file('in'), bench.file('away'));
        await symlink(bench.file('outside'), bench.file('in'));
        return true;
      };
      await refused(files.write(bench.file('in/a.txt'), 'theirs', 'Agent'), 'invalidParams');
      assert.equal(document.getText(), 'mine');
      assert.equal(await onDisk(bench.file('outside/a.txt')), 'outside');
    });

    it('FS-3, FS-6: keeps the encoding and the line ends of a file that no editor shows', async () => {
      const marked = bench.file('marked.txt');
      await writeFile(marked, '\ufeffa\r\nb\r\n');
      await files.write(marked, 'grün\nc\n', 'Agent');
      assert.equal(await onDisk(marked), '\ufeffgrün\r\nc\r\n');
      await files.write(marked, '\ufeffx\r\ny', 'Agent');
      assert.equal(await onDisk(marked), '\ufeffx\r\ny');

      const utf16 = bench.file('utf16.txt');
      await writeFile(utf16, Buffer.from('\ufeffa\n', 'utf16le'));
      await files.write(utf16, 'grün\r\n', 'Agent');
      assert.equal(await readFile(utf16, 'utf16le'), '\ufeffgrün\n');

      const empty = bench.file('empty.txt');
      await writeFile(empty, '');
      await files.write(empty, 'a\r\nb', 'Agent');
      assert.equal(await onDisk(empty), 'a\r\nb');
      assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 0);
    });

    it('FS-6: goes through an open editor, where it can be undone', async () => {
      const file = bench.file('open.txt');
      await writeFile(file, 'a\r\nb\r\n');
      const { document } = await show(file);
      await files.write(file, 'a\nc\n', 'Agent');
      assert.equal(await onDisk(file), 'a\r\nc\r\n');
      assert.equal(document.getText(), 'a\r\nc\r\n');
      assert.ok(!document.isDirty);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'a\r\nb\r\n');
      assert.deepEqual(questions, []);
    });

    it('FS-6: an editor that has not noticed a change on disk is no hindrance', async () => {
      const file = bench.file('stale.txt');
      await writeFile(file, 'one');
      const { document } = await show(file);
      await writeFile(file, 'two');
      await files.write(file, 'three', 'Agent');
      assert.equal(await onDisk(file), 'three');
      await becomes(document, file, 'three');
      assert.ok(!document.isDirty);
    });

    it('FS-6: neither is one that is just noticing it, at whichever moment', async () => {
      for (let moment = 0; moment < 20; moment++) {
        const file = bench.file(`noticing${moment}.txt`);
        await writeFile(file, 'one');
        const { document } = await show(file);
        await writeFile(file, 'two');
        await new Promise((resolve) => setTimeout(resolve, 20 * moment));
        await files.write(file, 'three', 'Agent');
        assert.equal(await onDisk(file), 'three');
        await becomes(document, file, 'three');
        assert.ok(!document.isDirty);
      }
    });

    it('FS-6: never loses an unsaved edit: a user who keeps it has all of it', async () => {
      const file = bench.file('dirty.txt');
      await writeFile(file, 'saved');
      const document = await showDirty(file, 'mine');
      let sides: readonly string[] = [];
      answer = async () => {
        const diff = await waitFor(diffTab, 'the comparison');
        const texts = [diff.original, diff.modified].map(async (uri) =>
          (await vscode.workspace.openTextDocument(uri)).getText(),
        );
        sides = await Promise.all(texts);
        return false;
      };
      await refused(files.write(file, 'theirs', 'Ag\u202eent\n'), 'cancelled', 'unsavedChanges');
      assert.deepEqual(sides, ['mine', 'theirs']);
      assert.deepEqual(questions, [
        'Agent wants to overwrite “dirty.txt”, which has unsaved changes.',
      ]);
      assert.equal(document.getText(), 'mine');
      assert.ok(document.isDirty);
      assert.equal(await onDisk(file), 'saved');
      await waitFor(() => diffTab() === undefined, 'the comparison to close');
    });

    it('FS-6: overwrites an unsaved edit only on consent, and it can be undone', async () => {
      const file = bench.file('dirty.txt');
      await writeFile(file, 'saved');
      const document = await showDirty(file, 'mine');
      answer = () => Promise.resolve(true);
      await files.write(file, 'theirs', 'Agent');
      assert.equal(await onDisk(file), 'theirs');
      assert.equal(document.getText(), 'theirs');
      await show(file);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'mine');
    });

    it('FS-6: asks also when the unsaved edit is under another name of the file', async () => {
      const file = bench.file('target.txt');
      await writeFile(file, 'saved');
      await symlink(file, bench.file('alias.txt'));
      const document = await showDirty(bench.file('alias.txt'), 'mine');
      await refused(files.write(file, 'theirs', 'Agent'), 'cancelled');
      assert.equal(questions.length, 1);
      assert.equal(document.getText(), 'mine');
    });

    it('FS-6: does not ask when the agent writes what the editor has', async () => {
      const file = bench.file('same.txt');
      await writeFile(file, 'saved');
      const document = await showDirty(file, 'same\ntext');
      await files.write(file, 'same\r\ntext', 'Agent');
      assert.deepEqual(questions, []);
      assert.equal(await onDisk(file), 'same\ntext');
      assert.ok(!document.isDirty);
    });

    it('FS-6: writes nothing if the agent exits while the user is being asked', async () => {
      const file = bench.file('dirty.txt');
      await writeFile(file, 'saved');
      const document = await showDirty(file, 'mine');
      const controller = new AbortController();
      let agree: (yes: boolean) => void = () => undefined;
      answer = () =>
        new Promise((resolve) => {
          agree = resolve;
          controller.abort();
        });
      await refused(files.write(file, 'theirs', 'Agent', controller.signal), 'cancelled');
      agree(true);
      assert.equal(document.getText(), 'mine');
      assert.equal(await onDisk(file), 'saved');
    });

    it('FS-6: a notebook with unsaved changes is left alone', async function () {
      const file = bench.file('a.ipynb');
      const cell = { cell_type: 'code', metadata: {}, source: ['1'], outputs: [] };
      const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(notebook));
      const uri = vscode.Uri.file(file);
      const open = await vscode.workspace.openNotebookDocument(uri).then(
        (document) => document,
        () => undefined,
      );
      if (open === undefined) {
        // This host has no support for notebooks.
        this.skip();
      }
      await vscode.window.showNotebookDocument(open);
      const edit = new vscode.WorkspaceEdit();
      edit.set(uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
      await vscode.workspace.applyEdit(edit);
      await waitFor(() => open.isDirty, 'an unsaved change');
      await refused(files.write(file, '{}', 'Agent'), 'cancelled', 'unsavedChanges');
      assert.deepEqual(JSON.parse(await onDisk(file)), notebook);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });
  });
});
