import assert from 'node:assert/strict';
import type { NoRecord, PendingFile, TurnReview } from '../../../../../src/model/changes/reviews';
import type { BackgroundTurn } from '../../../../../src/model/turns/backgroundWork';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { Outline } from '../../../../../src/views/transcript/feed/outlineFeed';
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
  let background: BackgroundTurn[] = [];
  beforeEach(() => {
    entries = [user('Fix it'), answer, answer, user('Explain it'), answer, user('Test it'), answer];
    outline = new Outline(() => entries);
    turns = new ReviewedTurns();
    background = [];
  });

  function shown(
    reviews: readonly TurnReview[],
    isRunning = false,
    pending: readonly PendingFile[] = [],
  ) {
    return turns.shown(
      { turns: reviews, unrecorded: [], pending },
      { entries, outline, isRunning, background },
    );
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

  it('with changes that may be another session’s stand at their end, also those without any other', () => {
    const start = { prompt: 'Explain it', began: 0 };
    const own = { turns: [review(1, 'Fix it')], unrecorded: [], pending: [] };
    const uncertainTurns = [
      { ...start, turn: 1, prompt: 'Fix it', files: 1 },
      { ...start, turn: 2, files: 2 },
    ];
    const transcript = { entries, outline, isRunning: false, background };
    const found = turns.uncertain({ ...own, uncertainTurns }, transcript);
    assert.deepEqual(found, [
      { turn: 1, last: 2, files: 1 },
      { turn: 2, last: 4, files: 2 },
    ]);
    assert.equal(turns.uncertain({ ...own, uncertainTurns }, transcript), found);
    assert.deepEqual(turns.uncertain(own, transcript), []);
  });

  it('that the agent began stand at their own end, and leave the one before them where it ended', () => {
    entries = [user('Fix it'), answer, answer, answer, answer];
    outline = new Outline(() => entries);
    const own = { isUnprompted: true, began: 5_000 } as const;
    const reviews = [review(1, 'Fix it'), review(2, 'Fix it', own)];
    const ends = (isRunning = false) =>
      shown(reviews, isRunning).map(({ turn, first, last }) => [turn, first, last]);
    background = [{ began: 4_900, from: 3 }];
    assert.deepEqual(ends(true), [[1, undefined, 2]], 'while it runs');
    background = [
      { began: 4_900, from: 3, to: 4 },
      { began: 400_000, from: 4, to: 5 },
    ];
    assert.deepEqual(ends(), [
      [1, undefined, 2],
      [2, 3, 3],
    ]);
    assert.equal(turns.firstFrom(0), 1);
  });

  it('that the agent began stand after the turn before them in a transcript that was loaded anew', () => {
    const own = { isUnprompted: true, began: 5_000 } as const;
    const reviews = [review(1, 'Fix it'), review(2, 'Fix it', own), review(3, 'Explain it')];
    assert.deepEqual(
      shown(reviews).map(({ turn, prompt, last, isUnprompted }) => [
        ...[turn, prompt, last],
        isUnprompted,
      ]),
      [
        [1, 0, 2, undefined],
        [2, 0, 2, true],
        [3, 3, 4, undefined],
      ],
    );
  });

  it('are decided if they were decided in parts, and nothing of them waits', () => {
    const reviews = [
      review(1, 'Fix it', { state: 'partly' }),
      review(3, 'Test it', { state: 'partly' }),
    ];
    const isDecided = shown(reviews, false, [{ turns: [3] } as unknown as PendingFile]);
    assert.deepEqual(
      isDecided.map((turn) => turn.isDecided),
      [true, undefined],
    );
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

  it('say why nothing is recorded of a turn, once, and again after it was', () => {
    entries = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].flatMap((it) => [user(it), answer]);
    outline = new Outline(() => entries);
    const unrecorded = (
      reviews: readonly TurnReview[],
      reasons: Readonly<Record<number, NoRecord>>,
      isRunning = false,
    ) => {
      const all = Object.entries(reasons).map(([turn, incomplete]) => {
        const first = entries[(Number(turn) - 1) * 2];
        const [block] = first?.kind === 'user' ? first.blocks : [];
        const prompt = block?.type === 'text' ? block.text : '';
        return { turn: Number(turn), prompt, began: 0, incomplete };
      });
      return turns
        .unrecorded(
          { turns: reviews, unrecorded: all, pending: [] },
          { entries, outline, isRunning, background },
        )
        .map(({ last, reason }) => `${last} ${reason}`);
    };
    const many = 'tooManyFiles';
    assert.deepEqual(unrecorded([], { 2: many, 3: many, 5: many }), ['3 tooManyFiles']);
    const recorded = [review(4, 'Four')];
    assert.deepEqual(unrecorded(recorded, { 2: many, 3: many, 5: many, 6: 'full' }), [
      '3 tooManyFiles',
      '9 tooManyFiles',
      '11 full',
    ]);
    const said = [review(1, 'One', { incomplete: many })];
    assert.deepEqual(unrecorded(said, { 2: many }), [], 'said with the files of the first turn');
    assert.deepEqual(unrecorded([], { 1: 'off', 2: 'untrusted' }), [], 'the user’s own choice');
    assert.deepEqual(unrecorded([], { 6: many }, true), [], 'the turn still runs');
  });
});
