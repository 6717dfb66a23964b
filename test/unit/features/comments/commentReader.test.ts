import assert from 'node:assert/strict';
import { CommentReader } from '../../../../src/features/comments/commentReader';
import type { Comment } from '../../../../src/features/comments/model/comment';
import { Emitter } from '../../../../src/util/emitter';

const file = '/w/a.ts';
const base: Comment = {
  ...{ id: '1', file, first: 1, last: 1, text: 'TWO', said: ['Why?'] },
  state: 'unsent',
};
const before = ['one', 'two', ...Array.from({ length: 20 }, (_, at) => `line ${at}`)];
const after = before.map((line, at) => (at === 1 ? 'TWO' : at === 20 ? 'LAST' : line));

describe('what an agent gets of comments on a change', () => {
  async function read(comments: readonly Comment[], now = after): Promise<string> {
    const reader = new CommentReader({
      comments: { of: () => comments } as never,
      follow: {
        find: (_: unknown, id: string) => {
          const comment = comments.find((one) => one.id === id);
          return Promise.resolve(comment && { comment, text: comment.text });
        },
        textOf: () => Promise.resolve(now.join('\n')),
      },
      reviews: {
        of: () =>
          ({
            pending: [{ file, form: 'text' }],
            baseline: () => Promise.resolve(before.join('\n')),
          }) as never,
      },
      sessions: { find: () => undefined, onDidHappen: new Emitter<never>().event },
    });
    const session = {
      ...{ agentId: 'fake', sessionId: 's1', cwd: '/w' },
      has: () => Promise.resolve(true),
    };
    const parts = await reader.read('all', session);
    reader.dispose();
    return parts.map(({ text }) => text).join('\n\n');
  }

  it('has the hunk that the lines are in, and no other one', async () => {
    const text = await read([base]);
    assert.match(text, /a\.ts, line 2\n/);
    assert.match(text, /-two\n\+TWO/);
    assert.doesNotMatch(text, /LAST/);
    assert.doesNotMatch(await read([{ ...base, first: 10, last: 11 }]), /@@/);
  });

  it('says of the side before the change that it is that, with the hunk that replaces the lines', async () => {
    const old = { ...base, document: 'acp-review:/w/a.ts?x', isBefore: true as const, text: 'two' };
    const text = await read([{ ...old, first: 20, last: 20, text: 'line 18' }]);
    assert.match(text, /line 21 \(as they were before the change\)/);
    assert.match(text, /-line 18\n\+LAST/);
    assert.doesNotMatch(text, /TWO/);
  });

  it('has the text of lines that are gone, without a hunk', async () => {
    const text = await read([{ ...base, isLost: true, text: 'was here' }]);
    assert.match(text, /no longer in the file\. They were:\n\n```\nwas here/);
    assert.doesNotMatch(text, /@@/);
  });
});
