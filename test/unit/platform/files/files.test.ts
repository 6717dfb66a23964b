import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { VsCodeFiles } from '../../../../src/platform/files/files';
import { OwnWrites } from '../../../../src/platform/files/ownWrites';
import { ReadOnlyDocuments } from '../../../../src/platform/files/readOnlyDocuments';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { posixOnly } from '../../../support/posixOnly';

describe('files of agents', () => {
  let folder: string;
  let documents: ReadOnlyDocuments;
  let files: VsCodeFiles;
  const at = (name: string): string => path.join(folder, name);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'acp-files-')));
    documents = new ReadOnlyDocuments();
    files = new VsCodeFiles(documents, new OwnWrites());
  });
  afterEach(async () => {
    files.dispose();
    documents.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  async function onDisk(file: string): Promise<string> {
    return readFile(file, 'utf8');
  }

  async function show(file: string): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.file(file));
  }

  /** `reason`: what the agent is told; not checked if it is left out. */
  async function refused(
    request: Promise<unknown>,
    code: AcpErrorCode,
    reason?: string,
  ): Promise<void> {
    await assert.rejects(
      request,
      (error) =>
        error instanceof AcpError &&
        error.code === code &&
        error.facts.reason === (reason ?? error.facts.reason),
    );
  }

  describe('reading', () => {
    it('FS-2: has the text on disk even if an open editor hasn’t noticed yet', async () => {
      const file = at('a.txt');
      await writeFile(file, 'before');
      await show(file);
      await writeFile(file, 'after');
      assert.equal(await files.read(file), 'after');
    });

    it('FS-5: a file that is not there is gone', async () => {
      await refused(files.read(at('gone.txt')), 'gone');
      await refused(files.read(at('gone/gone.txt')), 'gone');
    });
  });

  describe('writing', () => {
    posixOnly('FS-6: neither reads nor writes a pipe, and waits for none', async () => {
      const pipe = at('pipe');
      execFileSync('mkfifo', [pipe]);
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          await refused(files.read(pipe), 'invalidParams');
          await refused(files.write(pipe, 'text', 'Agent'), 'invalidParams');
        }),
      );
    });

    posixOnly(
      'DIR-7, SEC-27: writes nothing through a link that was put there after the check',
      async () => {
        const outside = at('outside');
        await mkdir(outside);
        await mkdir(at('in'));
        await writeFile(at('in/a.txt'), 'inside');
        await writeFile(at('outside/a.txt'), 'outside');
        await show(at('in/a.txt'));
        await rename(at('in'), at('away'));
        await symlink(outside, at('in'));
        await refused(files.read(at('in/a.txt')), 'invalidParams');
        await refused(files.write(at('in/a.txt'), 'agent', 'Agent'), 'invalidParams');
        await refused(files.write(at('in/b.txt'), 'agent', 'Agent'), 'invalidParams');
        assert.equal(await onDisk(at('outside/a.txt')), 'outside');
      },
    );

    it('FS-3: makes a new file and its folders', async () => {
      const file = at('new/deep/a.txt');
      await files.write(file, 'one\r\ntwo\n', 'Agent');
      assert.equal(await onDisk(file), 'one\r\ntwo\n');
    });

    it('FS-3: writes of one file happen in their order', async () => {
      const file = at('order/a.txt');
      await Promise.all(['one', 'two', 'three'].map((text) => files.write(file, text, 'Agent')));
      assert.equal(await onDisk(file), 'three');
    });
  });
});
