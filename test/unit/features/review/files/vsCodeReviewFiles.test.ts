import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { VsCodeReviewFiles } from '../../../../../src/features/review/files/vsCodeReviewFiles';
import type { Replacement } from '../../../../../src/features/review/model/reviewFiles';
import { OwnWrites } from '../../../../../src/platform/files/ownWrites';
import { posixOnly } from '../../../../support/posixOnly';
import { change, ReviewedFiles } from '../../../../support/reviewedFiles';
import { replaceMember } from '../../../../vscode/harness/dialogs';

describe('files under review', () => {
  let folder: string;
  let files: VsCodeReviewFiles;
  let reviewed: ReviewedFiles;
  let asked: (readonly string[])[];
  let agrees: boolean;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'acp-review-')));
    asked = [];
    agrees = true;
    files = new VsCodeReviewFiles({
      own: new OwnWrites(),
      folders: () => [folder],
      mayDeleteForGood: (deleted) => {
        asked.push(deleted);
        return Promise.resolve(agrees);
      },
    });
    reviewed = new ReviewedFiles(folder, files);
  });
  afterEach(async () => {
    files.dispose();
    await rm(folder, { recursive: true });
  });

  describe('changing texts', () => {
    it('leaves a file alone that isn’t what is expected any more, and changes the others', async () => {
      const changed = await reviewed.have('a.txt', 'someone else\n');
      const other = await reviewed.have('b.txt', 'agent\n');
      const refused = await reviewed.replace(
        change(changed, 'agent\n', 'before\n'),
        change(other, 'agent\n', 'before\n'),
      );
      assert.deepEqual(refused, ['changedSince']);
      assert.equal(await readFile(changed, 'utf8'), 'someone else\n');
      assert.equal(await readFile(other, 'utf8'), 'before\n');
    });
  });

  describe('creating, deleting and permissions', () => {
    posixOnly('brings a deleted file back with its folder and its executable bit', async () => {
      const file = reviewed.at('gone/tool.sh');
      const wanted = Buffer.from('#!/bin/sh\n');
      const back = { file, expected: undefined, wanted, isExecutable: true };
      assert.deepEqual(await reviewed.replace(back), []);
      assert.equal(await readFile(file, 'utf8'), '#!/bin/sh\n');
      assert.notEqual((await stat(file)).mode & 0o100, 0);
      assert.deepEqual(await reviewed.replace(back), ['changedSince']);
    });

    const gone = (file: string): Replacement => ({
      file,
      expected: Buffer.from('agent\n'),
      wanted: undefined,
    });
    it('SEC-81: deletes a new file for good only where there is no trash, and after a question', async () => {
      const file = await reviewed.have('new.txt', 'agent\n');
      const restore = replaceMember(vscode.env, 'uiKind', vscode.UIKind.Desktop);
      assert.equal(await files.howToDelete([file]), 'toTrash', 'a desktop has a trash');
      restore();
      assert.deepEqual(asked, []);
      assert.equal(await files.howToDelete([file]), 'forGood');
      assert.deepEqual(asked, [[file]]);
      agrees = false;
      assert.equal(await files.howToDelete([file]), 'declined');
      assert.deepEqual(await reviewed.replace(gone(file)), ['noTrash'], 'nobody was asked');
      assert.equal(await readFile(file, 'utf8'), 'agent\n');
      assert.deepEqual(await reviewed.replace({ ...gone(file), forGood: true }), []);
      await assert.rejects(stat(file));
      assert.deepEqual(reviewed.done, [file]);
    });

    it('SEC-81: touches nothing outside of the folders', async () => {
      const elsewhere = path.join(await mkdtemp(path.join(tmpdir(), 'acp-outside-')), 'a.txt');
      try {
        await writeFile(elsewhere, 'agent\n');
        assert.deepEqual(await files.look(elsewhere), { kind: 'untouchable', reason: 'elsewhere' });
        assert.deepEqual(
          await reviewed.replace(
            { ...gone(elsewhere), forGood: true },
            change(elsewhere, 'agent\n', 'x'),
          ),
          ['failed', 'failed'],
        );
        assert.equal(await readFile(elsewhere, 'utf8'), 'agent\n');
      } finally {
        await rm(path.dirname(elsewhere), { recursive: true });
      }
    });

    posixOnly('changes only the executable bit where the text is the same', async () => {
      const file = await reviewed.have('tool.sh', 'text\n');
      await chmod(file, 0o755);
      assert.deepEqual(
        await reviewed.replace({ ...change(file, 'text\n', 'text\n'), isExecutable: false }),
        [],
      );
      assert.equal((await stat(file)).mode & 0o111, 0);
    });

    posixOnly('refuses read-only files, folders, and everything behind a link', async () => {
      const readOnly = await reviewed.have('a.txt', 'agent\n');
      await chmod(readOnly, 0o444);
      await mkdir(reviewed.at('outside'));
      await reviewed.have('outside/a.txt', 'agent\n');
      await mkdir(reviewed.at('in'));
      await rename(reviewed.at('in'), reviewed.at('away'));
      await symlink(reviewed.at('outside'), reviewed.at('in'));
      await symlink(reviewed.at('outside/a.txt'), reviewed.at('link.txt'));
      const refused = await reviewed.replace(
        change(readOnly, 'agent\n', 'before\n'),
        change(reviewed.at('in/a.txt'), 'agent\n', 'before\n'),
        change(reviewed.at('link.txt'), 'agent\n', 'before\n'),
        change(reviewed.at('outside'), 'agent\n', 'before\n'),
      );
      assert.deepEqual(refused.sort(), ['failed', 'failed', 'failed', 'readOnly']);
      assert.equal(await readFile(reviewed.at('outside/a.txt'), 'utf8'), 'agent\n');
      assert.deepEqual(await files.look(reviewed.at('in/a.txt')), {
        kind: 'untouchable',
        reason: 'elsewhere',
      });
      assert.deepEqual(await files.look(reviewed.at('link.txt')), {
        kind: 'untouchable',
        reason: 'notAFile',
      });
    });
  });

  it('doesn’t take the files of a folder for deleted that is gone as a whole', async () => {
    const file = await reviewed.have('a.txt', 'one');
    await rename(folder, `${folder}-away`);
    try {
      assert.equal((await files.look(file)).kind, 'untouchable');
      assert.deepEqual(
        await reviewed.replace({ file, expected: undefined, wanted: Buffer.from('two') }),
        ['failed'],
      );
    } finally {
      await rename(`${folder}-away`, folder);
    }
    assert.equal((await files.look(file)).kind, 'file');
  });
});
