import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Replacement } from '../../src/model/review/reviewFiles';
import { OwnWrites } from '../../src/platform/review/ownWrites';
import { VsCodeReviewFiles } from '../../src/platform/review/reviewFiles';
import { type UserSave, UserSaves } from '../../src/platform/review/userSaves';
import { ExtensionBench, waitFor } from './harness/support';

const silent = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
};

describe('files under review', () => {
  let bench: ExtensionBench;
  let own: OwnWrites;
  let files: VsCodeReviewFiles;
  let done: string[];
  let withoutTrash: string[];
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    own = new OwnWrites();
    done = [];
    withoutTrash = [];
    files = new VsCodeReviewFiles({
      own,
      log: silent,
      folders: () => [bench.folder],
      onNoTrash: (gone) => withoutTrash.push(...gone),
    });
  });
  afterEach(async () => {
    files.dispose();
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await bench.dispose();
  });

  async function have(name: string, text: string | Uint8Array): Promise<string> {
    const file = bench.file(name);
    await writeFile(file, text);
    return file;
  }

  const change = (file: string, expected: string, wanted: string): Replacement => ({
    file,
    expected: Buffer.from(expected),
    wanted: Buffer.from(wanted),
  });

  async function replace(...all: readonly Replacement[]): Promise<string[]> {
    const refused = await files.replace(all, (file) => done.push(file));
    return refused.map(({ reason }) => reason);
  }

  const show = (file: string): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });

  describe('changing texts', () => {
    it('saves an open document, keeps the cursor, and Ctrl+Z brings the change back', async () => {
      const file = await have('a.txt', 'one\ntwo\nthree\n');
      const editor = await show(file);
      editor.selection = new vscode.Selection(2, 3, 2, 3);
      assert.deepEqual(await replace(change(file, 'one\ntwo\nthree\n', 'one\nthree\n')), []);
      assert.equal(await readFile(file, 'utf8'), 'one\nthree\n');
      assert.deepEqual(done, [file]);
      assert.deepEqual([editor.document.isDirty, editor.selection.active.line], [false, 1]);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
    });

    it('changes a file that is open nowhere, without showing it', async () => {
      const file = await have('a.txt', 'agent\n');
      assert.deepEqual(await replace(change(file, 'agent\n', 'before\n')), []);
      assert.equal(await readFile(file, 'utf8'), 'before\n');
      assert.equal(vscode.window.visibleTextEditors.length, 0);
    });

    it('has exactly the wanted bytes, although a document is saved with other settings', async () => {
      const file = await have('a.txt', 'one  \n');
      await show(file);
      const setting = vscode.workspace.getConfiguration('files');
      await setting.update('trimTrailingWhitespace', true, true);
      try {
        assert.deepEqual(await replace(change(file, 'one  \n', 'two  \n\tthree  ')), []);
        assert.equal(await readFile(file, 'utf8'), 'two  \n\tthree  ');
      } finally {
        await setting.update('trimTrailingWhitespace', undefined, true);
      }
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
        const file = await have(name, expected);
        if (name !== 'binary.bin') {
          await show(file);
        }
        changes.push({ file, expected, wanted });
      }
      assert.deepEqual(await replace(...changes), []);
      for (const [name, , wanted] of texts) {
        assert.deepEqual(await readFile(bench.file(name)), Buffer.from(wanted), name);
      }
      assert.deepEqual(done.sort(), changes.map(({ file }) => file).sort());
    });

    it('leaves unsaved text alone, unless it is what is expected; then the user saves', async () => {
      const file = await have('a.txt', 'saved\n');
      const editor = await show(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine '));
      assert.deepEqual(await replace(change(file, 'saved\n', 'before\n')), ['dirty']);
      assert.equal(editor.document.getText(), 'mine saved\n');
      assert.deepEqual(await replace(change(file, 'mine saved\n', 'mine before\n')), []);
      assert.deepEqual(
        [editor.document.getText(), editor.document.isDirty, await readFile(file, 'utf8')],
        ['mine before\n', true, 'saved\n'],
      );
    });

    it('leaves a file alone that isn’t what is expected any more, and changes the others', async () => {
      const changed = await have('a.txt', 'someone else\n');
      const other = await have('b.txt', 'agent\n');
      const refused = await replace(
        change(changed, 'agent\n', 'before\n'),
        change(other, 'agent\n', 'before\n'),
      );
      assert.deepEqual(refused, ['changedSince']);
      assert.equal(await readFile(changed, 'utf8'), 'someone else\n');
      assert.equal(await readFile(other, 'utf8'), 'before\n');
    });

    it('changes a file that the agent wrote a moment ago, while it is open', async () => {
      const file = await have('a.txt', 'before\n');
      const { document } = await show(file);
      await writeFile(file, 'agent\n');
      await waitFor(() => document.getText() === 'agent\n', 'VS Code to read the file again');
      assert.deepEqual(await replace(change(file, 'agent\n', 'before\n')), []);
      assert.equal(await readFile(file, 'utf8'), 'before\n');
      await waitFor(() => document.getText() === 'before\n' && !document.isDirty, 'the old text');
    });
  });

  describe('creating, deleting and permissions', () => {
    it('brings a deleted file back with its folder and its executable bit', async () => {
      const file = bench.file('gone/tool.sh');
      const wanted = Buffer.from('#!/bin/sh\n');
      const back = { file, expected: undefined, wanted, isExecutable: true };
      assert.deepEqual(await replace(back), []);
      assert.equal(await readFile(file, 'utf8'), '#!/bin/sh\n');
      assert.notEqual((await stat(file)).mode & 0o100, 0);
      assert.deepEqual(await replace(back), ['changedSince']);
    });

    it('deletes a new file, and says so where there is no trash', async () => {
      const file = await have('new.txt', 'agent\n');
      const gone = { file, expected: Buffer.from('agent\n'), wanted: undefined };
      assert.deepEqual(await replace(gone), []);
      await assert.rejects(stat(file));
      assert.deepEqual(done, [file]);
      // The tests' server has no trash; a desktop has one.
      assert.deepEqual(withoutTrash, vscode.env.remoteName === undefined ? [] : [file]);
    });

    it('changes only the executable bit where the text is the same', async () => {
      const file = await have('tool.sh', 'text\n');
      await chmod(file, 0o755);
      assert.deepEqual(
        await replace({ ...change(file, 'text\n', 'text\n'), isExecutable: false }),
        [],
      );
      assert.equal((await stat(file)).mode & 0o111, 0);
    });

    it('refuses read-only files, folders, and everything behind a link', async () => {
      const readOnly = await have('a.txt', 'agent\n');
      await chmod(readOnly, 0o444);
      await mkdir(bench.file('outside'));
      await have('outside/a.txt', 'agent\n');
      await mkdir(bench.file('in'));
      await rename(bench.file('in'), bench.file('away'));
      await symlink(bench.file('outside'), bench.file('in'));
      await symlink(bench.file('outside/a.txt'), bench.file('link.txt'));
      const refused = await replace(
        change(readOnly, 'agent\n', 'before\n'),
        change(bench.file('in/a.txt'), 'agent\n', 'before\n'),
        change(bench.file('link.txt'), 'agent\n', 'before\n'),
        change(bench.file('outside'), 'agent\n', 'before\n'),
      );
      assert.deepEqual(refused.sort(), ['failed', 'failed', 'failed', 'readOnly']);
      assert.equal(await readFile(bench.file('outside/a.txt'), 'utf8'), 'agent\n');
      assert.deepEqual(await files.look(bench.file('in/a.txt')), {
        kind: 'untouchable',
        reason: 'elsewhere',
      });
      assert.deepEqual(await files.look(bench.file('link.txt')), {
        kind: 'untouchable',
        reason: 'notAFile',
      });
    });
  });

  it('sees files as they are on the disk, and the text that isn’t saved', async () => {
    assert.deepEqual(await files.look(bench.file('none.txt')), { kind: 'absent' });
    const file = await have('a.txt', 'saved');
    const editor = await show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'un'));
    const bytes = Buffer.from('saved');
    assert.deepEqual(await files.look(file), {
      ...{ kind: 'file', bytes, isExecutable: false, unsaved: 'unsaved' },
    });
  });

  it('reads as text only what it could write again byte by byte', async () => {
    const file = bench.file('a.txt');
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
    let saves: UserSaves;
    let heard: UserSave[];
    beforeEach(() => {
      saves = new UserSaves(own);
      heard = [];
      saves.onDidUserSave((save) => heard.push(save));
    });
    afterEach(() => saves.dispose());

    it('is told with the bytes before and after', async () => {
      const file = await have('a.txt', 'before\n');
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
      const file = await have('a.txt', 'one\n');
      const { document } = await show(file);
      assert.deepEqual(await replace(change(file, 'one\n', 'two\n')), []);
      await writeFile(file, 'agent\n');
      await waitFor(() => document.getText() === 'agent\n', 'VS Code to read the file again');
      const other = await have('b.txt', 'x');
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
      const file = await have('a.txt', 'mine\n');
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(vscode.Uri.file(file));
      await vscode.workspace.applyEdit(edit);
      await waitFor(() => heard.length > 0, 'the deletion');
      assert.deepEqual([String(heard[0]?.before), heard[0]?.after], ['mine\n', undefined]);
    });
  });
});
