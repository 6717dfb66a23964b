import assert from 'node:assert/strict';
import { fileNameOf } from '../../../../src/model/files/fileName';
import { fc } from '../../../support/properties';

describe('The name of a file', () => {
  it('is the title, without what no file system takes', () => {
    assert.equal(fileNameOf('Fix the cart', '.md'), 'Fix the cart.md');
    assert.equal(fileNameOf('../../etc/passwd\n', '.md'), 'etc passwd.md');
    assert.equal(fileNameOf('a: "b" <c> | d?*', '.jsonl'), 'a b c d.jsonl');
    assert.equal(fileNameOf('gnp.\u202eexe', '.md'), 'gnp.exe.md');
  });

  it('is never empty and never that of a device', () => {
    assert.equal(fileNameOf('...', '.md'), 'session.md');
    assert.equal(fileNameOf('NUL', '.md'), 'session NUL.md');
    assert.equal(fileNameOf('con.foo', '.md'), 'session con.foo.md');
    assert.equal(fileNameOf('aux .bar', '.md'), 'session aux .bar.md');
    assert.equal(fileNameOf('LPT¹', '.md'), 'session LPT¹.md');
    assert.equal(fileNameOf('console.log', '.md'), 'console.log.md');
  });

  it('is one part of a path that every system takes, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const name = fileNameOf(title, '.md');
        assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[. ]|[. ]\.md$/u);
        assert.ok(Buffer.byteLength(name) <= 255 && name.endsWith('.md') && name.length > 3);
      }),
    );
  });
});
