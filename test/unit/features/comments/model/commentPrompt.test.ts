import assert from 'node:assert/strict';
import type { Comment } from '../../../../../src/features/comments/model/comment';
import {
  getDraft,
  getPart,
  getSuggestion,
} from '../../../../../src/features/comments/model/commentPrompt';

const comment: Comment = {
  ...{ id: '1', file: '/w/a.ts', first: 2, last: 3, text: 'c\nd', said: ['Why?'] },
  state: 'unsent',
};
const now = { first: 4, last: 4, name: 'a.ts', text: 'c2' };

describe('a prompt with comments', () => {
  it('names each comment in its text, and has one attachment for all', () => {
    const one = getDraft([comment], '1 comment', () => 'a.ts');
    assert.equal(
      one.text,
      'Please address this comment; its lines are attached.\n\n1. `a.ts`, lines 3 to 4: Why?',
    );
    const two = { ...comment, id: '2', last: 2, said: ['One\nline', 'More'] };
    const { text, attachments } = getDraft([comment, two], '2 comments', () => 'a.ts');
    assert.match(text, /these 2 comments/);
    assert.match(text, /\n2\. `a\.ts`, line 3: One\n {3}line\n {3}\n {3}More$/);
    assert.deepEqual(attachments, [
      { type: 'context', source: 'comments', about: '1,2', name: '2 comments' },
    ]);
  });

  it('has a bounded text, whatever the comments are', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...comment,
      ...{ id: String(index), said: ['x'.repeat(20_000)] },
    }));
    const { text } = getDraft(many, '200 comments', () => 'a.ts');
    assert.ok(text.length < 110_000);
    assert.match(text, /150 more are attached\.$/);
  });

  it('has path, lines, their text as it is now, the change and the comment', () => {
    const { uri, name, text } = getPart(comment, { ...now, hunk: '@@\n-c\n+c2' });
    assert.match(uri, /^file:\/\/\/.*a\.ts#L5$/);
    assert.equal(name, 'Comment on a.ts, line 5');
    assert.equal(
      text,
      [
        'a.ts, line 5',
        'The lines as they are now:',
        '```\nc2\n```',
        'The change that they are in:',
        '```diff\n@@\n-c\n+c2\n```',
        'Comment:',
        'Why?',
      ].join('\n\n'),
    );
  });

  it('says that lines are gone, or are those before the change', () => {
    assert.match(getPart(comment, { ...now, isLost: true }).text, /no longer in the file/);
    assert.match(
      getPart({ ...comment, isBefore: true }, now).text,
      /as they were before the change/,
    );
  });

  it('says what a suggestion is, which no text of the lines can end', () => {
    const suggestion = getSuggestion('```\ncode\n```');
    assert.equal(suggestion, '````suggestion\n```\ncode\n```\n````');
    assert.match(getPart({ ...comment, said: [suggestion] }, now).text, /shall be replaced by/);
  });
});
