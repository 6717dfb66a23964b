import assert from 'node:assert/strict';
import { hashOf } from '../../../../src/model/review/contents';
import type { DecidedFile } from '../../../../src/model/review/journalLines';
import type { SessionReview } from '../../../../src/model/review/review';
import { absent } from '../../../../src/model/review/stateText';
import { World } from './world';

const all = { type: 'all' } as const;

describe('Reviewing one session in several windows', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    await world.beginTurn(1);
  });

  afterEach(() => world.dispose());

  const names = ({ pending }: SessionReview): readonly string[] =>
    pending.map((it) => it.file.slice(world.folder.length + 1));

  it('a decision appears in the other', async () => {
    const other = await world.window();
    await world.agent(1, 'a', 'x\n');
    await other.refresh();
    assert.deepEqual(names(other), ['a']);
    await other.keep(all);
    await world.review.refresh();
    assert.deepEqual(names(world.review), []);
    other.dispose();
  });

  it('of two decisions at once about a file the first one counts', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    const other = await world.window();
    // The other window has decided, and this one hasn't heard of it.
    const { record } = world.review;
    const before = record.state.files.get(world.path('a'));
    await other.keep(all);
    assert.equal(record.state.files.get(world.path('a')), before);
    const decided = {
      ...before!,
      base: absent,
      turns: [],
      was: [before!.seen, before!.base] as const,
      of: [1],
    };
    await record.append([{ type: 'keep', at: 1, files: [decided satisfies DecidedFile] }]);
    for (const review of [world.review, other, await world.window()]) {
      await review.refresh();
      assert.equal(await review.baseline(world.path('a')), 'new\n');
      assert.deepEqual([names(review), review.turns[0]?.state], [[], 'kept']);
      review.dispose();
    }
  });

  it('a file that one keeps and the other undoes is the same in both', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    const other = await world.window();
    await Promise.all([world.review.keep(all), other.undo(all)]);
    await Promise.all([world.review.refresh(), other.refresh()]);
    const [one, two] = [world.review, other].map(({ record }) =>
      record.state.files.get(world.path('a')),
    );
    assert.deepEqual(one, two);
    assert.equal(one?.seen.kind === 'file' && one.seen.hash, hashOf(Buffer.from(world.text('a')!)));
    other.dispose();
  });
});
