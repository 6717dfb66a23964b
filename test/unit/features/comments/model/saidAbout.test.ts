import assert from 'node:assert/strict';
import { maxSaid } from '../../../../../src/features/comments/model/comment';
import { saidAbout } from '../../../../../src/features/comments/model/saidAbout';

const message = `Two problems:

1. \`src/a.ts:3\`: the sum isn't rounded.
   It should be in cents.
2. \`src/b.ts:7-9\`: never called.

Both are in \`src/a.ts:3\`, in a way.

   More on that.

Done.`;

describe('what a message says about lines', () => {
  it('is each paragraph and item that names them, with what is indented below', () => {
    assert.equal(
      saidAbout(message, 'src/a.ts:3'),
      "1. `src/a.ts:3`: the sum isn't rounded.\n   It should be in cents.\n\nBoth are in `src/a.ts:3`, in a way.\n\n   More on that.",
    );
    assert.equal(saidAbout(message, 'src/b.ts:7-9'), '2. `src/b.ts:7-9`: never called.');
    assert.equal(saidAbout(message, 'src/c.ts:1'), '');
  });

  it('is no more than a comment can hold', () => {
    const long = `a.ts:1 ${'x'.repeat(2 * maxSaid)}`;
    assert.ok(saidAbout(long, 'a.ts:1').length < maxSaid);
  });
});
