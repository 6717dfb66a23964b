import assert from 'node:assert/strict';
import path from 'node:path';
import type { TurnSide } from '../../../../../src/features/review/model/review';
import { World } from './world';

describe('What a turn did, after it was decided', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    world.write('a', 'one\ntwo\nthree\n');
    world.write('old', 'old\n');
    world.write('gone', 'gone\n');
    await world.beginTurn(1);
    await world.agent(1, 'a', 'one\nTWO\nthree\n');
    await world.agent(1, 'new', 'new\n');
    await world.agent(1, 'gone', null);
    await world.agentMoves(1, 'old', 'moved', 'old\nand more\n');
    await world.agent(1, 'passing', 'x');
    await world.agent(1, 'passing', null);
    await world.beginTurn(2);
    await world.agent(2, 'a', 'ONE\nTWO\nthree\n');
  });

  afterEach(() => world.dispose());

  async function files(turn: number, most = 100): Promise<readonly unknown[]> {
    const found = await world.review.getFiles(turn, most);
    return found.map(({ file, movedFrom, kind, form, isAsLeft }) =>
      [
        path.basename(file),
        kind,
        form,
        ...(movedFrom === undefined ? [] : [path.basename(movedFrom)]),
        ...(isAsLeft ? ['as left'] : []),
      ].join(' '),
    );
  }

  const texts = (turn: number, name: string): Promise<readonly unknown[]> =>
    Promise.all(
      (['before', 'after'] as const).map((side: TurnSide) =>
        world.review.findText(turn, world.path(name), side),
      ),
    );

  const both = [
    'a modified text',
    'gone deleted text as left',
    'moved moved text old as left',
    'new added text as left',
  ];

  it('has both texts of each file, also in another window and of a turn before others', async () => {
    await world.review.keep({ type: 'all' });
    assert.deepEqual(await files(1), both);
    assert.deepEqual(await files(2), ['a modified text as left']);
    assert.deepEqual(await texts(1, 'a'), ['one\ntwo\nthree\n', 'one\nTWO\nthree\n']);
    assert.deepEqual(await texts(1, 'new'), [null, 'new\n']);
    assert.deepEqual(await texts(1, 'gone'), ['gone\n', null]);
    assert.deepEqual(await texts(1, 'moved'), ['old\n', 'old\nand more\n']);
    assert.deepEqual(await texts(2, 'a'), ['one\nTWO\nthree\n', 'ONE\nTWO\nthree\n']);
    world.review.dispose();
    await world.open();
    assert.deepEqual(await files(1), both);
    assert.deepEqual(await texts(1, 'a'), ['one\ntwo\nthree\n', 'one\nTWO\nthree\n']);
  });

  it('has them as well if it was undone, when no file is as the turn left it', async () => {
    await world.review.undo({ type: 'all' });
    assert.equal(world.text('new'), null);
    assert.deepEqual(
      await files(1),
      both.map((line) => line.replace(' as left', '')),
    );
    assert.deepEqual(await texts(1, 'new'), [null, 'new\n']);
    assert.deepEqual(await texts(1, 'moved'), ['old\n', 'old\nand more\n']);
  });

  it('knows of changes that were never recorded, and names no more files than asked for', async () => {
    world.write('new', 'mine\n');
    assert.deepEqual(await files(1), [...both.slice(0, 3), 'new added text']);
    assert.deepEqual(await files(1, 2), both.slice(0, 2));
    assert.deepEqual(await files(7), []);
    assert.deepEqual(await texts(7, 'a'), [undefined, undefined]);
  });

  it('isn’t a text where it wasn’t', async () => {
    await world.agent(2, 'picture', new Uint8Array([0, 159, 146, 150]));
    await world.review.keep({ type: 'all' });
    assert.deepEqual((await files(2)).at(-1), 'picture added binary as left');
    assert.deepEqual(await texts(2, 'picture'), [null, undefined]);
  });
});
