import assert from 'node:assert/strict';
import { World } from './world';

describe('A turn whose lines a later turn has changed again', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    world.write('a', 'one\n');
    for (const [turn, text] of [
      [1, 'uno\n'],
      [2, 'due\n'],
    ] as const) {
      await world.beginTurn(turn);
      await world.agent(turn, 'a', text);
    }
  });

  afterEach(() => world.dispose());

  it('is kept as a whole', async () => {
    await world.review.keep({ type: 'turn', turn: 1 });
    const states = (): readonly string[] => world.review.turns.map(({ state }) => state);
    assert.deepEqual(states(), ['kept', 'pending']);
    assert.deepEqual(world.review.pending[0]?.turns, [2]);
    assert.equal(await world.review.baseline(world.path('a')), 'uno\n');
    world.review.dispose();
    await world.open();
    assert.deepEqual(states(), ['kept', 'pending']);
    await world.review.undo({ type: 'all' });
    assert.equal(world.text('a'), 'uno\n');
  });

  it('isn’t undone, and the later turn is named as the reason', async () => {
    const { leftAlone } = await world.review.undo({ type: 'turn', turn: 1 });
    assert.deepEqual(
      leftAlone.map(({ reason }) => reason),
      ['overlaid'],
    );
    assert.equal(world.text('a'), 'due\n');
  });
});
