import assert from 'node:assert/strict';
import { TheirPaths } from '../../../../../src/protocol/transport/remote/theirPaths';
import { isElsewhere } from '../../../../../src/util/elsewhere';
import { posixOnly } from '../../../../support/posixOnly';

const none = new TheirPaths('build.example:8080', []);

describe('paths of another machine', () => {
  it('are marked, whatever their style, and go back as they came', () => {
    for (const theirs of ['/srv/app', '/', 'C:\\code\\app', 'd:/code', '\\\\host\\share\\x']) {
      const marked = none.inward(theirs);
      assert.ok(isElsewhere(marked), marked);
      assert.ok(marked.startsWith('/[build.example:8080]'), marked);
      assert.equal(none.outward(marked)?.replaceAll('/', '\\'), theirs.replaceAll('/', '\\'));
    }
    assert.equal(none.inward('src/a.ts'), 'src/a.ts');
  });

  it('never lead out of their mark', () => {
    for (const theirs of ['/srv/../../../etc/passwd', '/..', 'C:\\..\\..\\x']) {
      assert.doesNotMatch(none.inward(theirs), /\.\./);
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
});
