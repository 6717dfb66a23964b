import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readLink } from '../../../../src/platform/ui/links';

const cwd = '/code/project';

function file(name: string, line?: number, last?: number) {
  // On Windows an absolute path includes the drive.
  return { kind: 'file', path: path.resolve(name), line, ...(last !== undefined && { last }) };
}

describe('links of a transcript', () => {
  it('opens web and mail addresses outside', () => {
    for (const href of [
      'https://example.org/a?b#c',
      'http://example.org/',
      'mailto:ada@example.org',
    ]) {
      assert.deepEqual(readLink(href, cwd), { kind: 'external', url: href });
    }
  });

  it('opens paths, relative to the session’s folder, with a line where there is one', () => {
    assert.deepEqual(readLink('src/main.ts', cwd), file('/code/project/src/main.ts'));
    assert.deepEqual(readLink('./src/main.ts:12', cwd), file('/code/project/src/main.ts', 12));
    assert.deepEqual(readLink('main.ts:12-15', cwd), file('/code/project/main.ts', 12, 15));
    assert.deepEqual(readLink('src/main.ts:12-15', cwd), file('/code/project/src/main.ts', 12, 15));
    assert.deepEqual(readLink('src/main.ts:12–11', cwd), file('/code/project/src/main.ts', 12));
    assert.deepEqual(readLink('src/main.ts:12:3', cwd), file('/code/project/src/main.ts', 12));
    assert.deepEqual(readLink('/etc/hosts#L7', cwd), file('/etc/hosts', 7));
    assert.deepEqual(readLink('a%20file.md#L7-L9', cwd), file('/code/project/a file.md', 7, 9));
    const uri = pathToFileURL(path.resolve('/tmp/a b.txt')).href;
    assert.deepEqual(readLink(`${uri}#L3`, cwd), file('/tmp/a b.txt', 3));
  });

  it('opens paths with emoji, and with the joiners that words of some scripts need', () => {
    for (const name of ['\u2764\ufe0f.md', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.md']) {
      assert.deepEqual(readLink(name, cwd), file(`/code/project/${name}`));
    }
  });

  it('refuses every other scheme', () => {
    const hrefs = [
      'command:workbench.action.terminal.new',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'vscode://some.extension/do',
      'data:text/html,<script>',
      'vbscript:x',
      'ftp://example.org/',
    ];
    for (const href of hrefs) {
      assert.equal(readLink(href, cwd).kind, 'refused', href);
    }
  });

  it('refuses files of other machines and links that lead nowhere', () => {
    for (const href of [
      '//host/share/a',
      '\\\\host\\share',
      '%2F%2Fhost/share',
      '%5C%5Chost%5Cshare',
      'file://host/share/a',
      '#heading',
      '',
    ]) {
      assert.equal(readLink(href, cwd).kind, 'refused', href);
    }
  });

  it('CO-9, SEC-63: refuses an address that hides where it leads', () => {
    for (const href of [
      'https://bank.example@evil.example/',
      'https://user:secret@evil.example/',
      'https://evil.example/\u202emoc.knab',
      'https://evil.example/\u061ca',
      'https://evil.example/a\u200b',
      'src/a\u200e.ts',
      'src/a\u2060.ts',
      'src/a%E2%80%8B.ts',
      '\ufeff/src/a.ts#\u00ad',
      'ja\tvascript:alert(1)',
      'src/a\u0000.ts',
      'src/a%00.ts',
      'src/a%0a.ts',
      `https://evil.example/${'a'.repeat(8000)}`,
      `src/${'a'.repeat(8000)}.ts`,
    ]) {
      assert.equal(readLink(href, cwd).kind, 'refused', href);
    }
  });

  it('CO-9: writes a host in letters of other scripts as what a browser would ask for', () => {
    assert.deepEqual(readLink('https://b\u0430nk.example/', cwd), {
      kind: 'external',
      url: 'https://xn--bnk-6cd.example/',
    });
  });

  it('opens files of Windows by a drive in any spelling', () => {
    for (const href of ['C:\\a\\b.ts:3', 'C:/a/b.ts#L3', 'file:///C:/a/b.ts#L3', '..\\a\\b.ts:3']) {
      const link = readLink(href, 'C:\\work', path.win32);
      assert.deepEqual(link, { kind: 'file', path: 'C:\\a\\b.ts', line: 3 }, href);
    }
    const encoded = readLink('file:///c%3A/a', 'C:\\work', path.win32);
    assert.deepEqual(encoded, { kind: 'file', path: 'c:\\a', line: undefined });
  });

  it('refuses what names a device, a stream or another machine on Windows', () => {
    for (const href of [
      ...['a.ts:stream', 'a.ts::$DATA', 'file:///C:/a.ts::$DATA', 'C:/a.ts%3Astream', 'NUL'],
      ...['aux.md#L3', 'file:///C:/con', '.env.', '.git%20/config', 'file:////host/share/a'],
      ...['\\??\\UNC\\host\\share\\a', '%5C%3F%3F%5CUNC%5Chost%5Cshare', '//?/C:/a'],
    ]) {
      assert.equal(readLink(href, 'C:\\work', path.win32).kind, 'refused', href);
    }
  });
});
