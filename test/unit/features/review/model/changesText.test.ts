import assert from 'node:assert/strict';
import {
  changesText,
  type NamedChange,
} from '../../../../../src/features/review/model/changesText';

const change = (
  name: string,
  before: string | null | undefined,
  after: string | null | undefined,
  more: Partial<NamedChange> = {},
): NamedChange => ({
  ...{ name, form: 'text' },
  kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  read: () => Promise.resolve({ before, after }),
  ...more,
});

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');

describe('the changes of a session as a text', () => {
  it('is a unified diff of each file', async () => {
    const { text, leftOut } = await changesText([
      change('src/a.ts', 'one\ntwo\nthree\n', 'one\nTWO\nthree\n'),
      change('new.ts', null, 'first\nsecond\n'),
      change('gone.ts', 'last\n', null),
      change('to.ts', 'same\nold\n', 'same\nnew\n', { kind: 'moved', oldName: 'from.ts' }),
    ]);
    assert.equal(leftOut, 0);
    assert.equal(
      text,
      [
        '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
        '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,2 @@\n+first\n+second\n',
        '--- a/gone.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-last\n',
        '--- a/from.ts\n+++ b/to.ts\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n',
      ].join('\n'),
    );
  });

  it('has what takes too long to compare as one block between the equal ends', async () => {
    const { text } = await changesText([
      change('a.txt', `top\n${lines(600, 'old')}end\n`, `top\n${lines(600, 'new')}end\n`),
    ]);
    assert.match(text, /^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -2,600 \+2,600 @@\n-old 0\n/);
    assert.match(text, /\n-old 599\n\+new 0\n/);
    assert.match(text, /\+new 599\n$/);
  });

  it('names what has no diff, and why', async () => {
    const unread: NamedChange['read'] = () => assert.fail('it has no text');
    const { text, leftOut } = await changesText([
      change('a.png', '', '', { form: 'binary', read: unread }),
      change('b.sql', '', '', { form: 'tooLarge', read: unread }),
      change('c.txt', null, '', { form: 'unkept', read: unread }),
      change('d.txt', 'one', undefined),
    ]);
    assert.equal(leftOut, 4);
    assert.deepEqual(text.trimEnd().split('\n'), [
      'Also changed, but not in this diff:',
      'a.png (modified; not a text)',
      'b.sql (modified; too large to compare)',
      'c.txt (added; content not recorded)',
      'd.txt (modified; not a text)',
    ]);
  });

  it('SEC-270: is bounded, whatever an agent has changed', async () => {
    const half = lines(12_000, 'a line');
    const { text, leftOut } = await changesText([
      change('one.txt', null, half),
      change('two.txt', null, half),
      change('three.txt', null, 'short\n'),
      ...Array.from({ length: 400 }, (_, at) =>
        change(`${'long/'.repeat(800)}${at}.txt`, null, half),
      ),
    ]);
    assert.equal(leftOut, 401, 'what is small still has room');
    assert.match(text, /\+short/);
    assert.match(text, /\ntwo\.txt \(added; no room for its diff\)\n/);
    assert.match(text, /\n\(301 more\)\n$/);
    assert.ok(text.length < 300_000, String(text.length));
    assert.doesNotMatch(text, /(long\/){200}/);
  });

  it('SEC-270: a path can’t be taken for another line of it', async () => {
    const { text } = await changesText([change('a\n+++ b/other.ts', 'one\n', 'two\n')]);
    assert.doesNotMatch(text, /^\+\+\+ b\/other/m);
  });
});
