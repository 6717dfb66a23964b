import assert from 'node:assert/strict';
import type { TurnReview } from '../../../../../src/model/review/review';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { Outline } from '../../../../../src/views/transcript/feed/outline';
import { ReviewedTurns } from '../../../../../src/views/transcript/feed/reviewedTurns';

const user = (text: string): Entry => ({ kind: 'user', blocks: [{ type: 'text', text }] });
const answer: Entry = { kind: 'agent', blocks: [{ type: 'text', text: 'Done' }] };

function review(turn: number, prompt: string, rest: Partial<TurnReview> = {}): TurnReview {
  const counts = { added: 3, removed: 1, state: 'pending' } as const;
  return { turn, prompt, began: 0, files: ['/a', '/b'], ...counts, ...rest };
}

describe('the turns of a record, as a transcript shows them', () => {
  let entries: Entry[] = [];
  let outline: Outline;
  let turns: ReviewedTurns;
  beforeEach(() => {
    entries = [user('Fix it'), answer, answer, user('Explain it'), answer, user('Test it'), answer];
    outline = new Outline(() => entries);
    turns = new ReviewedTurns();
  });

  function shown(reviews: readonly TurnReview[], isRunning = false) {
    return turns.shown(reviews, { entries, outline, isRunning });
  }

  it('stand at the end of the turn, with numbers, state and what is missing', () => {
    const reviews = [
      review(1, 'Fix it', { state: 'kept', incomplete: 'noGit' }),
      review(3, 'Test it', { isLate: true }),
    ];
    const common = { files: 2, added: 3, removed: 1 };
    assert.deepEqual(shown(reviews), [
      { turn: 1, prompt: 0, last: 2, ...common, state: 'kept', incomplete: 'noGit' },
      { turn: 3, prompt: 5, last: 6, ...common, state: 'pending', isLate: true },
    ]);
  });

  it('appear when the turn has ended, and move with what comes after its end', () => {
    const reviews = [review(1, 'Fix it'), review(3, 'Test it')];
    assert.deepEqual(
      shown(reviews, true).map(({ turn }) => turn),
      [1],
    );
    entries.push(answer);
    outline.note({ type: 'appended', from: 7, to: 8 });
    assert.deepEqual(
      shown(reviews).map(({ last }) => last),
      [2, 7],
    );
  });

  it('are the same array as long as nothing changes, and a bounded number of the latest', () => {
    const reviews = [review(1, 'Fix it')];
    const before = shown(reviews);
    assert.equal(shown([...reviews]), before);
    assert.notEqual(shown([review(1, 'Fix it', { state: 'undone' })]), before);
    const many = Array.from({ length: 1000 }, (_, at) => `Prompt ${at}`);
    entries = many.map(user);
    // Each answered, or a prompt would go on with the next.
    entries = entries.flatMap((entry) => [entry, answer]);
    outline = new Outline(() => entries);
    const all = shown(many.map((prompt, at) => review(at + 1, prompt)));
    assert.deepEqual([all.length, all.at(-1)?.turn], [500, 1000]);
  });

  it('tell from which turn on files are restored to before a prompt', () => {
    shown([review(1, 'Fix it'), review(3, 'Test it')]);
    assert.deepEqual(
      [0, 3, 5, 6].map((prompt) => turns.firstFrom(prompt)),
      [1, 3, 3, undefined],
    );
  });
});
