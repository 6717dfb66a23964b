import assert from 'node:assert/strict';
import { mayBeFile, splitMentions } from '../../../../src/webview/markdown/fileMentions';
import { fc } from '../../../support/properties';

const mentioned = (text: string): string[] => splitMentions(text).filter((_, at) => at % 2 === 1);

describe('Files that a message mentions', () => {
  it('are paths with a folder and an ending, with a line or without', () => {
    assert.deepEqual(mentioned('See src/a.ts:12, ./b/c.tsx and /home/ann/x.md.'), [
      'src/a.ts:12',
      './b/c.tsx',
      '/home/ann/x.md',
    ]);
    assert.deepEqual(mentioned('(docs/größe.md:3:7)'), ['docs/größe.md:3:7']);
    assert.deepEqual(mentioned('src/a.ts:12-15, src/b.ts:3–4: src/c.ts#L5-L9 src/d.ts#L7.'), [
      'src/a.ts:12-15',
      'src/b.ts:3–4',
      'src/c.ts#L5-L9',
      'src/d.ts#L7',
    ]);
  });

  it('are no words, numbers, dates or parts of addresses', () => {
    assert.deepEqual(
      mentioned('and/or 1/2 3/4.5 2026/01/02 a.ts e.g. //host/a.ts http://a/b.c'),
      [],
    );
  });

  it('may be shorter as code', () => {
    for (const code of [
      'package.json',
      'src/index',
      'a.ts:3',
      'a.ts:3-5',
      'a.ts#L3-L5',
      '../x.c',
    ]) {
      assert.ok(mayBeFile(code), code);
    }
    for (const code of ['npm test', 'foo', 'a|b', '--flag', '', '//host/a.ts', 'x'.repeat(400)]) {
      assert.ok(!mayBeFile(code), code);
    }
  });

  it('leave the text as it is', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '/', ':', '1', ' ', '-', '@', 'ü'),
      maxLength: 60,
    });
    fc.assert(fc.property(text, (it) => assert.equal(splitMentions(it).join(''), it)));
  });
});
