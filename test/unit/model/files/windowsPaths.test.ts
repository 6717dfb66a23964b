import assert from 'node:assert/strict';
import path from 'node:path';
import { plainName } from '../../../../src/features/review/model/checkpoints/rawDiff';
import {
  checkPath,
  isInside,
  realPathOfNew,
  resolveInside,
} from '../../../../src/model/files/roots';
import { isNetworkPath } from '../../../../src/util/networkPath';
import { isPlainName } from '../../../../src/util/plainName';

const { win32 } = path;
const invalid = { code: 'invalidParams' };

/** A disk with just these files and folders, which are found in any case. */
function disk(...files: readonly string[]): (file: string) => Promise<string | undefined> {
  return (file) =>
    Promise.resolve(files.find((known) => known.toLowerCase() === file.toLowerCase()));
}

describe('Windows paths', () => {
  it('TR-11: name the user’s files', () => {
    for (const file of [
      'C:\\work\\a.ts',
      'c:/work/.env',
      'C:\\work\\a b\\Größe.txt',
      'C:\\work\\..a\\b..c',
      'C:\\work\\console.log',
      'C:\\work\\',
      'C:\\work\\.\\a',
    ]) {
      assert.doesNotThrow(() => checkPath(file, [], win32), file);
    }
  });

  for (const file of [
    ...['work\\a', 'C:work\\a', ''],
    ...['\\\\host\\share\\a', '//host/share/a', '/\\host\\share'],
    ...['\\\\?\\C:\\work\\a', '\\\\.\\C:\\work\\a', '//?/C:/work/a', '\\\\.\\pipe\\a'],
    ...['\\??\\C:\\work\\a', '\\??\\UNC\\host\\share\\a', '\\\\?\\UNC\\host\\share'],
    ...['C:\\work\\a:b', 'C:\\work\\a::$DATA', 'C:\\work\\.git::$INDEX_ALLOCATION\\config'],
    ...['C:\\work\\.env.', 'C:\\work\\.env ', 'C:\\work\\.git.\\config', 'C:\\work\\.git \\config'],
    ...['C:\\work\\...\\a', 'C:\\work\\NUL', 'C:\\work\\con.txt', 'C:\\work\\aux .ts\\a'],
    ...['C:\\work\\COM1', 'C:\\work\\lpt¹.log', 'C:\\work\\CONIN$', 'C:\\work\\*.ts'],
    ...['C:\\work\\a?', 'C:\\work\\a<b', 'C:\\work\\"a"', 'C:\\work\\a|b', 'C:\\work\\a\u0001'],
  ]) {
    it(`TR-11, SEC-131: mean something else, or are elsewhere: ${JSON.stringify(file)}`, () => {
      assert.throws(() => checkPath(file, [], win32), invalid);
      assert.throws(() => checkPath(file, ['C:\\work', 'D:\\'], win32), invalid);
    });
  }

  it('TR-11: may be on another machine where the window has a folder', () => {
    const folders = ['\\\\host\\share\\work'];
    checkPath('\\\\HOST\\share\\work\\a.ts', folders, win32);
    for (const file of [
      '\\\\host\\share\\a',
      '\\\\host\\share\\work2\\a',
      '\\\\other\\share\\work',
    ]) {
      assert.throws(() => checkPath(file, folders, win32), invalid, file);
    }
  });

  it('DIR-10: are inside a folder in any case, and with any separator', () => {
    for (const file of ['C:\\Work', 'c:\\work\\a', 'C:/WORK/a/b', 'C:\\x\\..\\work\\a']) {
      assert.ok(isInside(file, ['D:\\', 'C:\\Work\\'], win32), file);
    }
    assert.ok(isInside('c:\\größe\\a', ['C:\\GRÖSSE'.replace('SS', 'ß')], win32));
    assert.ok(isInside('D:\\a', ['d:\\'], win32));
  });

  it('DIR-10, SEC-131: are outside of a folder that only looks alike', () => {
    for (const file of [
      ...['C:\\work2', 'C:\\', 'D:\\work\\a', 'C:\\work\\..\\a', '\\\\C\\work\\a'],
      // The Kelvin sign and the long s.
      ...['C:\\wor\u212a\\a', 'C:\\WOR\u212a'],
    ]) {
      assert.ok(!isInside(file, ['C:\\work'], win32), file);
    }
    assert.ok(!isInside('C:\\ſrc\\a', ['C:\\SRC'], win32));
    assert.ok(!isInside('C:\\strasse', ['C:\\straße'], win32));
    assert.ok(!isInside('C:\\i\u0307\\a', ['C:\\İ'], win32));
  });

  it('DIR-7: lead where short names and junctions really lead', async () => {
    const real: Record<string, string> = {
      'C:\\work': 'C:\\work',
      'C:\\work\\LINK': 'D:\\secrets',
      'C:\\work\\GIT~1': 'C:\\work\\.git',
      'C:\\PROGRA~1': 'C:\\Program Files',
      'C:\\': 'C:\\',
    };
    const realPath = (file: string): Promise<string | undefined> => Promise.resolve(real[file]);
    const boundary = { roots: ['C:\\work'], folders: ['C:\\work'] };
    const resolve = (file: string): Promise<string> =>
      resolveInside(file, boundary, realPath, win32);
    assert.equal(await resolve('C:\\work\\new\\a.ts'), 'C:\\work\\new\\a.ts');
    assert.equal(await resolve('C:/work/GIT~1/config'), 'C:\\work\\.git\\config');
    await assert.rejects(resolve('C:\\work\\LINK\\a.ts'), invalid);
    await assert.rejects(resolve('C:\\PROGRA~1\\a.ts'), invalid);
    await assert.rejects(resolve('C:\\work\\..\\a.ts'), invalid);
  });

  it('DIR-7: a file that doesn’t exist has the case of the folders that do', async () => {
    assert.equal(
      await realPathOfNew('c:\\WORK\\New.ts', disk('C:\\Work', 'C:\\'), win32),
      'C:\\Work\\New.ts',
    );
  });

  it('are on another machine, or are a device, by how they begin', () => {
    for (const file of [
      '\\\\a',
      '//a',
      '\\/a',
      '\\\\?\\C:',
      '\\\\.\\a',
      '\\??\\C:\\a',
      '/??/UNC/a',
    ]) {
      assert.ok(isNetworkPath(file), file);
    }
    for (const file of ['C:\\a', '/a', 'a\\\\b', '??\\a', '\\?', '/??']) {
      assert.ok(!isNetworkPath(file), file);
    }
  });

  it('names in an index lead nowhere else', () => {
    for (const name of [
      '.git.',
      'git~1/config',
      'GIT~1',
      'a/.git /x',
      'a:b',
      'a\\b',
      'NUL',
      'a/con.c',
    ]) {
      assert.equal(plainName(name, win32), undefined, name);
    }
    assert.equal(plainName('src/git~/a.ts', win32), 'src/git~/a.ts');
    assert.equal(plainName('a:b', path.posix), 'a:b');
  });

  it('names stand for themselves, unless they have a part that Windows reads otherwise', () => {
    assert.ok(['a', '.a', 'a.b', 'com', 'com10', 'nul2', 'a b'].every(isPlainName));
    assert.ok(!['a.', 'a ', 'nul', 'NUL.txt', 'com1.a', 'a:b', 'a*'].some(isPlainName));
  });
});
