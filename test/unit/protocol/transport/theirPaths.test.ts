import assert from 'node:assert/strict';
import path from 'node:path';
import { TheirPaths } from '../../../../src/protocol/transport/theirPaths';
import { isElsewhere } from '../../../../src/util/elsewhere';
import { posixOnly } from '../../../support/posixOnly';

const none = new TheirPaths('build.example:8080', []);

describe('paths of another machine', () => {
  it('SEC-148: are marked, whatever their style, and go back as they came', () => {
    for (const theirs of ['/srv/app', '/', 'C:\\code\\app', 'd:/code', '\\\\host\\share\\x']) {
      const marked = none.inward(theirs);
      assert.ok(isElsewhere(marked), marked);
      assert.ok(marked.startsWith('/[build.example:8080]'), marked);
      assert.equal(none.outward(marked)?.replaceAll('/', '\\'), theirs.replaceAll('/', '\\'));
    }
    assert.equal(none.inward('src/a.ts'), 'src/a.ts');
  });

  it('SEC-148: never lead out of their mark', () => {
    for (const theirs of [
      ...['/srv/../../../etc/passwd', '/..', 'C:\\..\\..\\x', '/srv\\..\\..\\..\\x', '/a\\..'],
      ...['C:..\\..\\x', '\\..\\x', '\\\\h\\s\\..\\..\\x'],
    ]) {
      const marked = none.inward(theirs);
      assert.ok(isElsewhere(marked), marked);
      for (const style of [path.posix, path.win32]) {
        assert.ok(isElsewhere(style.normalize(marked)), marked);
      }
    }
  });

  it('SEC-148: are marked if only Windows takes them for absolute', () => {
    for (const theirs of ['C:x', 'c:..\\x', '\\Windows', '\\??\\C:\\x']) {
      assert.ok(isElsewhere(none.inward(theirs)), theirs);
    }
  });

  it('are no path of ours without a mapping, nor those of a third machine', () => {
    assert.equal(none.outward('/home/me'), undefined);
    assert.equal(none.outward('/[other.example]/srv'), undefined);
  });

  posixOnly('are those of the longest mapping, in both directions', () => {
    const paths = new TheirPaths('h', [
      { theirs: '/srv', ours: '/mnt/srv' },
      { theirs: '/srv/app', ours: '/code/app' },
      { theirs: 'C:\\code', ours: '/win' },
    ]);
    for (const [theirs, ours] of [
      ['/srv/app', '/code/app'],
      ['/srv/app/src/a b.ts', '/code/app/src/a b.ts'],
      ['/srv/application', '/mnt/srv/application'],
      ['C:\\code\\src\\x.ts', '/win/src/x.ts'],
    ] as const) {
      assert.equal(paths.inward(theirs), ours);
      assert.equal(paths.outward(ours), theirs);
    }
    assert.equal(paths.inward('/srv/app/../../etc'), '/[h]/etc');
    assert.equal(paths.inward('c:/CODE/y'), '/win/y');
    assert.equal(paths.inwardUri('file:///srv/app/a%20b.ts'), 'file:///code/app/a%20b.ts');
    assert.equal(paths.outwardUri('file:///code/app/a%20b.ts#L1'), 'file:///srv/app/a%20b.ts#L1');
    assert.equal(paths.outwardUri('file:///win/x.ts'), 'file:///C:/code/x.ts');
    assert.equal(paths.outwardUri('file:///home/me/x.ts'), undefined);
    assert.equal(paths.outwardUri('https://example.com/x'), 'https://example.com/x');
    assert.ok(isElsewhere(decodeURIComponent(new URL(paths.inwardUri('file:///etc/x')).pathname)));
  });

  describe('with a mapping to Windows', () => {
    const toWindows = new TheirPaths(
      'h',
      [
        { theirs: '/srv', ours: 'C:\\srv' },
        { theirs: '/srv/app', ours: 'D:\\app' },
      ],
      path.win32,
    );

    it('TR-11: are paths there if each name stands for itself', () => {
      assert.equal(toWindows.inward('/srv/app'), 'D:\\app');
      assert.equal(toWindows.inward('/srv/app/src/a b.ts'), 'D:\\app\\src\\a b.ts');
      assert.equal(toWindows.inward('/srv/.git/'), 'C:\\srv\\.git');
      assert.equal(toWindows.outward('d:\\APP\\src'), '/srv/app/src');
    });

    for (const name of [
      ...['a\\b', '..\\..\\Windows', 'a\\..\\..\\..\\Windows', 'C:\\Windows', '\\Windows'],
      ...[
        'a:b',
        'C:',
        'CON',
        'aux.txt',
        'com1',
        'a.',
        'a ',
        '...',
        'a*',
        'a?',
        'a\0',
        'a"',
        'CON/x',
      ],
    ]) {
      it(`TR-11, SEC-148: are elsewhere with the name ${JSON.stringify(name)}`, () => {
        const theirs = `/srv/app/${name}`;
        assert.ok(isElsewhere(toWindows.inward(theirs)), toWindows.inward(theirs));
      });
    }
  });

  posixOnly(
    'SEC-148: are elsewhere with a backslash, and no file of ours becomes another one there',
    () => {
      const paths = new TheirPaths('h', [
        { theirs: '/srv', ours: '/code' },
        { theirs: 'C:\\work', ours: '/win' },
      ]);
      assert.equal(paths.inward('/srv/a:b'), '/code/a:b');
      assert.equal(paths.inward('/srv/a\\b'), '/[h]/srv/a\\b');
      assert.equal(paths.outward('/win/a'), 'C:\\work\\a');
      for (const name of ['..\\..\\x', 'a\\b', 'a:b', 'CON', 'a.']) {
        assert.equal(paths.outward(`/win/${name}`), undefined);
      }
    },
  );

  it('SEC-148: are marked in any address of a file that a parser reads, and in one that none can', () => {
    for (const uri of [
      ...[
        'file:///etc/x',
        'FILE:/etc/x',
        ' file:///etc/x',
        'fi\nle:///etc/x',
        '\u0001file:///etc/x',
      ],
      ...[
        'file:///%E0%A4%A',
        'file:///%zz',
        'file:///etc%2Fx',
        'file:///C:/a%5Cb',
        'file://%zz/etc',
      ],
      ...['file://host/etc', 'file:\\\\host\\etc', 'file:///%2e%2e/%5C..%2F..%2Fx', 'file:x'],
    ]) {
      const marked = none.inwardUri(uri);
      assert.ok(isElsewhere(decodeURIComponent(new URL(marked).pathname)), `${uri}: ${marked}`);
      assert.doesNotMatch(marked, /\/\.\.?(?:\/|$)/);
    }
    assert.equal(none.inwardUri('attachment:a%zz'), 'attachment:a%zz');
    assert.equal(none.outwardUri(' file:///home/me'), undefined);
  });
});
