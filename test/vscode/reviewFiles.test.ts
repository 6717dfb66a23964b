import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Replacement, ReviewFiles } from '../../src/features/review/model/reviewFiles';
import type { UserSave } from '../../src/model/changes/userSave';
import type { Disposable } from '../../src/util/disposable';
import { change, ReviewedFiles } from '../support/reviewedFiles';
import { Dialogs, replaceMember } from './harness/dialogs';
import { ExtensionBench, waitFor, workspaceFolder } from './harness/support';

describe('files under review', () => {
  let bench: ExtensionBench;
  let files: ReviewFiles;
  let reviewed: ReviewedFiles;
  /** The folder, one for each test, as VS Code remembers the texts of files. */
  let place: string;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    ({ files } = await bench.api.recording.get());
    place = await mkdtemp(path.join(workspaceFolder(), 'changed-'));
    reviewed = new ReviewedFiles(place, files);
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await bench.dispose();
    await rm(place, { recursive: true });
  });

  /** Whether the document has the text within a second: several times as long as VS Code needs to notice a write. */
  async function readsAgain(document: vscode.TextDocument, text: string): Promise<boolean> {
    const end = Date.now() + 1000;
    while (document.getText() !== text && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return document.getText() === text;
  }

  async function withSetting(name: string, value: unknown, work: () => Promise<void>) {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update(name, value, true);
    try {
      await work();
    } finally {
      await settings.update(name, undefined, true);
    }
  }

  const show = (file: string): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });

  describe('changing texts', () => {
    it('saves an open document, keeps the cursor, and Ctrl+Z brings the change back', async () => {
      const file = await reviewed.have('a.txt', 'one\ntwo\nthree\n');
      const editor = await show(file);
      editor.selection = new vscode.Selection(2, 3, 2, 3);
      assert.deepEqual(
        await reviewed.replace(change(file, 'one\ntwo\nthree\n', 'one\nthree\n')),
        [],
      );
      assert.equal(await readFile(file, 'utf8'), 'one\nthree\n');
      assert.deepEqual(reviewed.done, [file]);
      assert.deepEqual([editor.document.isDirty, editor.selection.active.line], [false, 1]);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
    });

    it('changes a document that was saved a moment ago where it is, so that Ctrl+Z works', async () => {
      const file = await reviewed.have('a.txt', 'two\n');
      const editor = await show(file);
      const { document } = editor;
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'one\n'));
      assert.ok(await document.save());
      assert.deepEqual(await reviewed.replace(change(file, 'one\ntwo\n', 'one\nTWO\n')), []);
      assert.equal(document.getText(), 'one\nTWO\n');
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'one\ntwo\n');
    });

    it('changes a file that is open nowhere, without showing it', async () => {
      const file = await reviewed.have('a.txt', 'agent\n');
      assert.deepEqual(await reviewed.replace(change(file, 'agent\n', 'before\n')), []);
      assert.equal(await readFile(file, 'utf8'), 'before\n');
      // The editors of earlier tests may still be visible, as in VS Code 1.106.
      const shown = vscode.window.visibleTextEditors.map(({ document }) => document.uri.fsPath);
      assert.ok(!shown.includes(file));
    });

    async function changesMany(): Promise<void> {
      const names = Array.from({ length: 60 }, (_, at) => `many${at}.txt`);
      const closed = await Promise.all(names.map((name) => reviewed.have(name, 'agent\n')));
      const unsaved = await reviewed.have('unsaved.txt', 'saved\n');
      const editor = await show(unsaved);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'un'));
      const changes = closed.map((file) => change(file, 'agent\n', `before ${file}\n`));
      const refused = await reviewed.replace(...changes, change(unsaved, 'unsaved\n', 'before\n'));
      assert.deepEqual(refused, []);
      assert.deepEqual(reviewed.done.sort(), [...closed].sort());
      for (const file of closed) {
        assert.equal(await readFile(file, 'utf8'), `before ${file}\n`);
      }
      const [dirty, ...others] = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      assert.deepEqual([dirty?.uri.fsPath, dirty?.getText()], [unsaved, 'before\n']);
      assert.deepEqual(others, []);
      assert.equal(await readFile(unsaved, 'utf8'), 'saved\n');
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const shown = () => tabs().map(({ label }) => label);
      await waitFor(() => shown().join() === 'unsaved.txt', 'VS Code to close other tabs');
    }

    it('changes many such files at once, and saves all but what the user hasn’t saved', async () => {
      // In a browser, VS Code saves by itself after a second.
      await withSetting('autoSave', 'off', changesMany);
    });

    it('saves each of them if VS Code doesn’t save the files of a refactoring', async () => {
      await withSetting('autoSave', 'off', () =>
        withSetting('refactoring.autoSave', false, changesMany),
      );
    });

    it('has exactly the wanted bytes, although a document is saved with other settings', async () => {
      const file = await reviewed.have('a.txt', 'one  \n');
      await show(file);
      await withSetting('trimTrailingWhitespace', true, async () => {
        assert.deepEqual(await reviewed.replace(change(file, 'one  \n', 'two  \n\tthree  ')), []);
        assert.equal(await readFile(file, 'utf8'), 'two  \n\tthree  ');
      });
    });

    it('keeps byte order marks, encodings, mixed line ends and missing final newlines', async () => {
      const texts: readonly [string, Uint8Array, Uint8Array][] = [
        ['bom.txt', Buffer.from('\ufeffa\r\nb'), Buffer.from('\ufeffa\r\nc')],
        ['nobom.txt', Buffer.from('\ufeffa\n'), Buffer.from('a\n')],
        ['utf16.txt', Buffer.from('\ufeffgrün', 'utf16le'), Buffer.from('\ufeffblau', 'utf16le')],
        ['mixed.txt', Buffer.from('a\r\nb\nc\r\n'), Buffer.from('a\nb\r\nc')],
        ['ends.txt', Buffer.from('a\nb\n'), Buffer.from('a\r\nb\r\n')],
        ['latin.txt', Buffer.from([0x67, 0xfc, 0x0a]), Buffer.from([0x67, 0xfc, 0xfc, 0x0a])],
        ['binary.bin', Buffer.from([1, 0, 2]), Buffer.from([0, 0, 0xff])],
      ];
      const changes = [];
      for (const [name, expected, wanted] of texts) {
        const file = await reviewed.have(name, expected);
        if (name !== 'binary.bin') {
          await show(file);
        }
        changes.push({ file, expected, wanted });
      }
      assert.deepEqual(await reviewed.replace(...changes), []);
      for (const [name, , wanted] of texts) {
        assert.deepEqual(await readFile(reviewed.at(name)), Buffer.from(wanted), name);
      }
      assert.deepEqual(reviewed.done.sort(), changes.map(({ file }) => file).sort());
    });

    it('leaves unsaved text alone, unless it is what is expected; then the user saves', async () => {
      const file = await reviewed.have('a.txt', 'saved\n');
      const editor = await show(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine '));
      assert.deepEqual(await reviewed.replace(change(file, 'saved\n', 'before\n')), ['dirty']);
      assert.equal(editor.document.getText(), 'mine saved\n');
      assert.deepEqual(await reviewed.replace(change(file, 'mine saved\n', 'mine before\n')), []);
      assert.deepEqual(
        [editor.document.getText(), editor.document.isDirty, await readFile(file, 'utf8')],
        ['mine before\n', true, 'saved\n'],
      );
    });

    it('changes a file that the agent wrote a moment ago, while it is open', async () => {
      const file = await reviewed.have('a.txt', 'before\n');
      const { document } = await show(file);
      // VS Code starts to watch a file some time after it has shown it, and never hears of what was written before.
      await waitFor(async () => {
        await writeFile(file, 'agent\n');
        return readsAgain(document, 'agent\n');
      }, 'VS Code to read the file again');
      assert.deepEqual(await reviewed.replace(change(file, 'agent\n', 'before\n')), []);
      assert.equal(await readFile(file, 'utf8'), 'before\n');
      await waitFor(() => document.getText() === 'before\n' && !document.isDirty, 'the old text');
    });
  });

  describe('creating, deleting and permissions', () => {
    const gone = (file: string): Replacement => ({
      file,
      expected: Buffer.from('agent\n'),
      wanted: undefined,
      forGood: true,
    });
    // The tests' server has no trash; a desktop has one.
    const isThereTrash = vscode.env.remoteName === undefined;

    it('deletes a new file, to the trash where there is one', async () => {
      const file = await reviewed.have('new.txt', 'agent\n');
      const dialogs = new Dialogs();
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Delete for Good');
      try {
        assert.equal(await files.howToDelete([file]), isThereTrash ? 'toTrash' : 'forGood');
        assert.equal(dialogs.asked.length, isThereTrash ? 0 : 1);
      } finally {
        dialogs.dispose();
      }
      assert.deepEqual(await reviewed.replace(gone(file)), []);
      await assert.rejects(stat(file));
      assert.deepEqual(reviewed.done, [file]);
    });

    it('SEC-81: deletes nothing whose trash fails', async function () {
      if (isThereTrash) {
        this.skip();
      }
      const file = await reviewed.have('new.txt', 'agent\n');
      // So the server's refusal is what a desktop says whose trash is full.
      const restore = [
        replaceMember(vscode.env, 'remoteName', undefined),
        replaceMember(vscode.env, 'uiKind', vscode.UIKind.Desktop),
      ];
      try {
        const [refused] = await files.replace([gone(file)], () => undefined);
        assert.equal(refused?.reason, 'noTrash');
        assert.match(refused.detail ?? '', /trash/i);
        assert.equal(await readFile(file, 'utf8'), 'agent\n');
      } finally {
        for (const back of restore) {
          back();
        }
      }
    });
  });

  describe('what an interrupted decision has left unsaved', () => {
    it('is saved to go on, and taken back to go back', async () => {
      const names = ['on.txt', 'back.txt'];
      for (const name of names) {
        const file = await reviewed.have(name, 'from\n');
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
        await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 4), 'to'));
      }
      const [on = '', back = ''] = names.map((name) => reviewed.at(name));
      const leftUnsaved = Buffer.from('to\n');
      assert.deepEqual(
        await reviewed.replace(
          { ...change(on, 'from\n', 'to\n'), leftUnsaved },
          { ...change(back, 'from\n', 'from\n'), leftUnsaved },
        ),
        [],
      );
      assert.deepEqual(reviewed.done.sort(), [back, on]);
      assert.deepEqual(
        [await readFile(on, 'utf8'), await readFile(back, 'utf8')],
        ['to\n', 'from\n'],
      );
      assert.deepEqual(
        vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty),
        [],
      );
    });

    it('isn’t what the user has typed besides', async () => {
      const file = await reviewed.have('a.txt', 'from\n');
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
      await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 4), 'to and mine'));
      const leftUnsaved = Buffer.from('to\n');
      assert.deepEqual(await reviewed.replace({ ...change(file, 'from\n', 'to\n'), leftUnsaved }), [
        'dirty',
      ]);
      assert.equal(editor.document.getText(), 'to and mine\n');
    });
  });

  it('sees files as they are on the disk, and the text that isn’t saved', async () => {
    assert.deepEqual(await files.look(reviewed.at('none.txt')), { kind: 'absent' });
    const file = await reviewed.have('a.txt', 'saved');
    const editor = await show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'un'));
    const bytes = Buffer.from('saved');
    assert.deepEqual(await files.look(file), {
      ...{ kind: 'file', bytes, isExecutable: false, unsaved: 'unsaved' },
    });
  });

  it('reads texts in the encoding of the user’s settings', async () => {
    const file = reviewed.at('a.txt');
    const bytes = Buffer.from([0x67, 0xc3, 0xbc, 0x0a]);
    assert.equal(await files.decode(file, bytes), 'gü\n');
    const setting = vscode.workspace.getConfiguration('files');
    await setting.update('encoding', 'windows1252', true);
    try {
      assert.equal(await files.decode(file, bytes), 'gÃ¼\n');
      assert.deepEqual(Buffer.from(await files.encode(file, 'gÃ¼\n', bytes)), bytes);
    } finally {
      await setting.update('encoding', undefined, true);
    }
    assert.equal(await files.decode(file, bytes), 'gü\n');
  });

  it('reads as text only what it could write again byte by byte', async () => {
    const file = reviewed.at('a.txt');
    const read = (bytes: Uint8Array): Promise<string | undefined> => files.decode(file, bytes);
    assert.equal(await read(Buffer.from('\ufeffgrün\r\n')), 'grün\r\n');
    assert.equal(await read(Buffer.from('')), '');
    assert.equal(await read(Buffer.from([0x67, 0xfc, 0x0a])), undefined);
    assert.equal(await read(Buffer.from([0x7f, 0x45, 0, 0, 1, 2, 0])), undefined);
    assert.equal(await read(Buffer.alloc(10_000_000, 'x')), undefined);
    assert.deepEqual(
      Buffer.from(await files.encode(file, 'a', Buffer.from('\ufeffb'))),
      Buffer.from('\ufeffa'),
    );
    assert.deepEqual(
      Buffer.from(await files.encode(file, 'a', Buffer.from('\ufeffb', 'utf16le'))),
      Buffer.from('\ufeffa', 'utf16le'),
    );
  });

  describe('what the user does', () => {
    let heard: UserSave[];
    let listening: Disposable;
    beforeEach(async () => {
      const { saves } = await bench.api.recording.get();
      heard = [];
      listening = saves.onDidUserSave((save) => heard.push(save));
    });
    afterEach(() => listening.dispose());

    it('is told with the bytes before and after', async () => {
      const file = await reviewed.have('a.txt', 'before\n');
      const editor = await show(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'my '));
      await editor.document.save();
      await waitFor(() => heard.length > 0, 'the save');
      const [save] = heard;
      assert.deepEqual(
        [save?.file, String(save?.before), String(save?.after)],
        [file, 'before\n', 'my before\n'],
      );
    });

    it('is neither what is written here nor what VS Code reads again', async () => {
      const file = await reviewed.have('a.txt', 'one\n');
      const { document } = await show(file);
      assert.deepEqual(await reviewed.replace(change(file, 'one\n', 'two\n')), []);
      await writeFile(file, 'agent\n');
      await waitFor(() => document.getText() === 'agent\n', 'VS Code to read the file again');
      const other = await reviewed.have('b.txt', 'x');
      const editor = await show(other);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'y'));
      await editor.document.save();
      await waitFor(() => heard.length > 0, 'the save');
      assert.deepEqual(
        heard.map((save) => save.file),
        [other],
      );
    });

    it('is also deleting a file in the explorer', async () => {
      const file = await reviewed.have('a.txt', 'mine\n');
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(vscode.Uri.file(file));
      await vscode.workspace.applyEdit(edit);
      await waitFor(() => heard.length > 0, 'the deletion');
      assert.deepEqual([String(heard[0]?.before), heard[0]?.after], ['mine\n', undefined]);
    });
  });
});
