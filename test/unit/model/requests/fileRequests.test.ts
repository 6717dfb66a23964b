import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../../../../src/model/files/roots';
import type { Files, Workspace } from '../../../../src/model/ports';
import { FileRequests, linesFrom } from '../../../../src/model/requests/fileRequests';
import { realPath } from '../../../../src/platform/files/realPath';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { Emitter } from '../../../../src/util/emitter';
import { posixOnly } from '../../../support/posixOnly';

/** Files on disk, without an editor. */
const files: Files = {
  read: (file) =>
    readFile(file, 'utf8').catch(() => {
      throw new AcpError('gone', file);
    }),
  async write(file, content) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  },
};

describe('requests for files', () => {
  let base: string;
  let cwd: string;
  let extra: string;
  let outside: string;
  let trusted: boolean;
  let folders: Workspace['folders'];
  let requests: FileRequests;

  beforeEach(async () => {
    base = await realpath(mkdtempSync(path.join(os.tmpdir(), 'acp-roots-')));
    [cwd, extra, outside] = ['cwd', 'extra', 'outside'].map((name) => {
      const folder = path.join(base, name);
      mkdirSync(folder);
      return folder;
    }) as [string, string, string];
    await writeFile(path.join(cwd, 'a.txt'), 'one\ntwo\nthree\n');
    await writeFile(path.join(outside, 'secret.txt'), 'secret');
    trusted = true;
    folders = [{ name: 'cwd', path: cwd }];
    const workspace: Workspace = {
      get folders() {
        return folders;
      },
      get trusted() {
        return trusted;
      },
      onDidChange: new Emitter<void>().event,
    };
    requests = new FileRequests({ files, workspace, realPath });
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function read(file: string, roots: readonly string[] = [cwd]): Promise<string> {
    return requests.read(roots, { sessionId: 's', path: file });
  }

  function write(file: string, roots: readonly string[] = [cwd]): Promise<void> {
    return requests.write(roots, { path: file, content: 'new' }, 'Agent');
  }

  async function refused(request: Promise<unknown>, code: AcpErrorCode, what: string) {
    await assert.rejects(
      request,
      (error) => error instanceof AcpError && error.code === code,
      `${what} is refused as ${code}`,
    );
  }

  it('FS-2, FS-3: reads a file of the session and writes one, with new folders', async () => {
    assert.equal(await read(path.join(cwd, 'a.txt')), 'one\ntwo\nthree\n');
    const file = path.join(cwd, 'new', 'deep', 'b.txt');
    await write(file);
    assert.equal(readFileSync(file, 'utf8'), 'new');
  });

  it('FS-4, DIR-10: the folder of the session and its additional ones are the boundary', async () => {
    const file = path.join(extra, 'b.txt');
    await refused(write(file), 'invalidParams', 'an extra root of another session');
    await write(file, [cwd, extra]);
    assert.equal(readFileSync(file, 'utf8'), 'new');
    assert.equal(await read(file, [cwd, extra]), 'new');
    await refused(read(file, []), 'invalidParams', 'any file, without roots');
  });

  it('FS-4, DIR-7: nothing outside is read or written, in whatever form its path comes', async () => {
    const forms = [
      path.join(outside, 'secret.txt'),
      `${cwd}${path.sep}..${path.sep}outside${path.sep}secret.txt`,
      `${cwd}${path.sep}gone${path.sep}..${path.sep}..${path.sep}outside${path.sep}secret.txt`,
      `${cwd}2${path.sep}a.txt`,
      path.dirname(cwd),
      path.parse(cwd).root,
      `//server/share/a.txt`,
      `\\\\server\\share\\a.txt`,
      `\\\\?\\C:\\a.txt`,
      `file://${outside}/secret.txt`,
      `~/.ssh/id_rsa`,
      `${cwd}${path.sep}a.txt\0.png`,
      'a.txt',
      '',
      '.',
    ];
    for (const form of forms) {
      await refused(read(form), 'invalidParams', `reading ${JSON.stringify(form)}`);
      await refused(write(form), 'invalidParams', `writing ${JSON.stringify(form)}`);
    }
    assert.equal(readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
    assert.ok(!existsSync(`${cwd}2`));
  });

  it('FS-4, DIR-7: links lead nowhere outside, not even to what isn’t there yet', async () => {
    const link = (name: string, target: string): string => {
      const file = path.join(cwd, name);
      symlinkSync(target, file, 'junction');
      return file;
    };
    const folder = link('folder', outside);
    const forms = [
      path.join(folder, 'secret.txt'),
      path.join(folder, 'new.txt'),
      path.join(folder, 'new', 'deep.txt'),
      link('chain', folder),
      link('file', path.join(outside, 'secret.txt')),
      // The targets of these links can't be determined.
      link('dangling', path.join(outside, 'created.txt')),
      link('loop', path.join(cwd, 'loop')),
      path.join(cwd, 'loop', 'a.txt'),
      path.join(cwd, 'dangling', 'a.txt'),
      path.join(cwd, 'a.txt', 'below a file'),
    ];
    for (const form of forms) {
      await refused(read(form), 'invalidParams', `reading ${form}`);
      await refused(write(form), 'invalidParams', `writing ${form}`);
    }
    assert.equal(readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
    assert.ok(!existsSync(path.join(outside, 'new.txt')));
    assert.ok(!existsSync(path.join(outside, 'created.txt')));
  });

  posixOnly('DIR-7: links within the roots, and a root that is a link, are fine', async () => {
    symlinkSync(path.join(cwd, 'a.txt'), path.join(cwd, 'alias.txt'));
    symlinkSync(cwd, path.join(base, 'other name'));
    assert.equal(await read(path.join(cwd, 'alias.txt')), 'one\ntwo\nthree\n');
    const other = path.join(base, 'other name');
    await write(path.join(other, 'b.txt'), [other]);
    assert.equal(readFileSync(path.join(cwd, 'b.txt'), 'utf8'), 'new');
    await write(path.join(other, 'c.txt'), [cwd]);
    assert.equal(readFileSync(path.join(cwd, 'c.txt'), 'utf8'), 'new');
  });

  posixOnly('DIR-7: case counts where it makes two folders', async () => {
    mkdirSync(path.join(base, 'CWD'));
    await refused(write(path.join(base, 'CWD', 'a.txt')), 'invalidParams', 'the other folder');
  });

  it('DIR-7: a root that is gone, relative or on another machine lets nothing in', async () => {
    for (const root of [path.join(base, 'gone'), 'cwd', '', '.', '//server/share']) {
      await refused(read(path.join(cwd, 'a.txt'), [root]), 'invalidParams', `root ${root}`);
    }
  });

  it('DIR-7: a network path is looked at only inside of the workspace’s own folders', async () => {
    const asked: string[] = [];
    const workspace: Workspace = { folders, trusted: true, onDidChange: new Emitter<void>().event };
    const spied = new FileRequests({
      files,
      workspace,
      realPath: (file) => {
        asked.push(file);
        return realPath(file);
      },
    });
    const file = '//server/share/a.txt';
    await refused(
      spied.read(['//server/share'], { sessionId: 's', path: file }),
      'invalidParams',
      file,
    );
    assert.deepEqual(asked, []);
  });

  it('DIR-7, CO-5: an attachment on another machine isn’t looked at', async () => {
    await refused(requests.readAttached('//server/share/a.txt'), 'invalidParams', 'a network path');
    assert.equal(await requests.readAttached(path.join(outside, 'secret.txt')), 'secret');
  });

  it('DIR-5, FS-6: nothing is read or written while the workspace is not trusted', async () => {
    trusted = false;
    await refused(read(path.join(cwd, 'a.txt')), 'untrusted', 'reading');
    await refused(write(path.join(cwd, 'b.txt')), 'untrusted', 'writing');
    assert.ok(!existsSync(path.join(cwd, 'b.txt')));
  });

  it('FS-5: a file that is missing is gone, not an error of its own kind', async () => {
    await refused(read(path.join(cwd, 'gone.txt')), 'gone', 'a missing file');
    await refused(read(path.join(cwd, 'gone', 'gone.txt')), 'gone', 'one of a missing folder');
  });

  it('FS-6, TR-12: lines and limits have a defined result', async () => {
    const table: readonly [number | undefined, number | undefined, string][] = [
      [undefined, undefined, 'one\r\ntwo\r\n\r\nfour'],
      [1, 1, 'one\r\n'],
      [2, 2, 'two\r\n\r\n'],
      [3, 1, '\r\n'],
      [4, 1, 'four'],
      [4, 99, 'four'],
      [2, undefined, 'two\r\n\r\nfour'],
      [undefined, 0, ''],
      [5, undefined, ''],
      [99, 5, ''],
      [0, 1, 'one\r\n'],
      [-7, 1, 'one\r\n'],
    ];
    const file = path.join(cwd, 'lines.txt');
    await writeFile(file, 'one\r\ntwo\r\n\r\nfour');
    for (const [line, limit, text] of table) {
      const request = {
        sessionId: 's',
        path: file,
        ...(line !== undefined && { line }),
        ...(limit !== undefined && { limit }),
      };
      assert.equal(await requests.read([cwd], request), text, JSON.stringify([line, limit]));
    }
    for (const bad of [{ line: 1.5 }, { line: Number.NaN }, { limit: -1 }, { limit: 0.5 }]) {
      const request = { sessionId: 's', path: file, ...bad };
      await refused(requests.read([cwd], request), 'invalidParams', JSON.stringify(bad));
    }
  });

  it('FS-6: pieces that follow one another make up the whole text', () => {
    const text = 'a\n\nb\r\nc\n';
    const pieces = [1, 2, 3, 4, 5].map((line) => linesFrom(text, line, 1));
    assert.equal(pieces.join(''), text);
    assert.equal(linesFrom('', 1, 1), '');
  });

  it('tells what lies inside of a folder', () => {
    assert.ok(isInside(path.resolve('/code/project'), [path.resolve('/code/project')]));
    assert.ok(isInside(path.resolve('/code/project/..hidden'), [path.resolve('/code/project')]));
    assert.ok(!isInside(path.resolve('/code/project2/a'), [path.resolve('/code/project')]));
    assert.ok(!isInside(path.resolve('/other'), [path.resolve('/code/project')]));
    assert.ok(!isInside(path.resolve('/code/project/a'), []));
  });
});
