import assert from 'node:assert/strict';
import { getFileName } from '../../../../src/model/files/fileName';
import { fc } from '../../../support/properties';

describe('The name of a file', () => {
  it('is the title, without what no file system takes', () => {
    assert.equal(getFileName('Fix the cart', '.md'), 'Fix the cart.md');
    assert.equal(getFileName('../../etc/passwd\n', '.md'), 'etc passwd.md');
    assert.equal(getFileName('a: "b" <c> | d?*', '.jsonl'), 'a b c d.jsonl');
    assert.equal(getFileName('gnp.\u202eexe', '.md'), 'gnp.exe.md');
  });

  it('is never empty and never that of a device', () => {
    assert.equal(getFileName('...', '.md'), 'session.md');
    assert.equal(getFileName('NUL', '.md'), 'session NUL.md');
    assert.equal(getFileName('con.foo', '.md'), 'session con.foo.md');
    assert.equal(getFileName('aux .bar', '.md'), 'session aux .bar.md');
    assert.equal(getFileName('LPT¹', '.md'), 'session LPT¹.md');
    assert.equal(getFileName('console.log', '.md'), 'console.log.md');
  });

  it('is one part of a path that every system takes, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const name = getFileName(title, '.md');
        assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[. ]|[. ]\.md$/u);
        assert.ok(Buffer.byteLength(name) <= 255 && name.endsWith('.md') && name.length > 3);
      }),
    );
  });
});
