import assert from 'node:assert/strict';
import {
  findForkPoint,
  getConversation,
} from '../../../../../src/features/branches/model/forkPoint';
import { heldBy } from '../../../../../src/features/branches/model/heldBy';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import { fc } from '../../../../support/properties';
import { agent, call, entriesOf, thought, user } from '../../../model/updates';

/** Three turns as Claude replays them: every message has an id, calls have none. */
const history: readonly SessionUpdate[] = [
  user('Count the lines', 'u1'),
  thought('Let me see', 'a1'),
  agent('There are ten.', 'a1'),
  user('Now the words', 'u2'),
  agent('I look.', 'a2'),
  call('c1', { status: 'completed' }),
  agent('Ninety.', 'a3'),
  user('Thanks', 'u3'),
  agent('Welcome.', 'a4'),
];

function held(fork: readonly SessionUpdate[], turn: number, origin = history) {
  return heldBy(getConversation(entriesOf(...fork)), getConversation(entriesOf(...origin)), turn);
}

describe('The place to fork at', () => {
  const entries = entriesOf(...history);

  it('is the last message before the prompt that has an id', () => {
    assert.deepEqual(findForkPoint(entries, 3), { turn: 2, at: 'a1' });
    assert.deepEqual(findForkPoint(entries, 7), { turn: 3, at: 'a3' });
    const live = entriesOf(user('One'), agent('Said', 'a1'), call('c1'), user('Two'));
    assert.deepEqual(
      findForkPoint(live, 3),
      { turn: 2, at: 'a1' },
      'prompts have no ids while live',
    );
    const silent = entriesOf(user('One', 'u1'), call('c1'), user('Two', 'u2'));
    assert.deepEqual(findForkPoint(silent, 2), { turn: 2, at: 'u1' });
  });

  it('is in the turn before, never further up, and never an id that cannot be sent back', () => {
    const bare = entriesOf(
      user('One', 'u1'),
      agent('Said', 'a1'),
      user('Two'),
      user('Three', 'u3'),
    );
    assert.deepEqual(findForkPoint(bare, 3), undefined, 'parts of one prompt');
    const none = entriesOf(user('One', 'u1'), agent('a', 'a1'), user('Two'), agent('b'), user('3'));
    assert.deepEqual(findForkPoint(none, 4), { turn: 3, at: undefined });
    const long = entriesOf(user('One'), agent('a', `sha256:${'0'.repeat(64)}`), user('Two'));
    assert.deepEqual(findForkPoint(long, 2), { turn: 2, at: undefined });
  });

  it('only prompts have one; before the first one there is nothing', () => {
    assert.equal(findForkPoint(entries, 1), undefined);
    assert.equal(findForkPoint(entries, 99), undefined);
    assert.equal(findForkPoint(entries, -1), undefined);
    assert.deepEqual(findForkPoint(entries, 0), { turn: 1, at: undefined });
  });
});

describe('T-42: what a fork really holds', () => {
  it('is what comes before the prompt, whether the agent ends it at the message or the turn', () => {
    assert.equal(held(history.slice(0, 3), 2), 'before');
    assert.equal(held(history.slice(0, 7), 3), 'before');
  });

  it('is the turn of a prompt that was sent into a running turn', () => {
    const steered = [
      ...history.slice(0, 7),
      user('Faster', 's1'),
      agent('Yes', 'a5'),
      ...history.slice(7),
    ];
    const toTheEnd = steered.slice(0, 9);
    assert.equal(held(toTheEnd, 3, steered), 'turn');
  });

  it('is the whole, if the agent does not know forks at messages', () => {
    assert.equal(held(history, 2), 'whole');
    assert.equal(held(history, 3), 'whole');
  });

  it('is less, if a turn or a call is missing', () => {
    assert.equal(held(history.slice(0, 3), 3), 'less');
    const called = [user('One', 'u1'), agent('I look', 'a1'), call('c1'), user('Two', 'u2')];
    assert.equal(held(called.slice(0, 2), 2, called), 'less');
    assert.equal(held(called.slice(0, 3), 2, called), 'before');
  });

  it('is something else, if its prompts are other ones', () => {
    assert.equal(held([user('Forget it'), agent('All right')], 3), 'other');
    assert.equal(held([...history, user('And more'), agent('Well')], 3), 'other');
  });

  it('does not mind prompts that the agent never got, has compacted or writes in another way', () => {
    const failed = [user('One', 'u1'), agent('a', 'a1'), user('Lost', 'u2'), user('Two', 'u3')];
    assert.equal(held(failed.slice(0, 2), 3, [...failed, agent('b', 'a2')]), 'before');
    assert.equal(held(history.slice(3, 7), 3), 'before', 'compacted');
    const spaced = [user('  Count\r\n the lines\n', 'x'), agent('There are ten.', 'y')];
    assert.equal(held(spaced, 2), 'before');
    const rewritten = [
      user('<prompt>Count the lines</prompt>', 'x'),
      agent('There are ten.', 'a1'),
    ];
    assert.equal(held(rewritten, 2), 'before', 'its own message has the same id');
  });

  it('counts equal prompts', () => {
    const again = [1, 2, 3].flatMap((n) => [user('Go on', `u${n}`), agent(`${n}`, `a${n}`)]);
    const origin = [...again, user('Stop', 'u4')];
    assert.equal(held(again.slice(0, 4), 3, origin), 'before');
    assert.equal(held(again.slice(0, 2), 3, origin), 'less');
    assert.equal(held(again, 3, origin), 'turn');
  });

  it('is found for any beginning of any conversation with different prompts', () => {
    const turns = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(turns, fc.nat(), (answers, seed) => {
        const origin = answers.flatMap((count, turn) => [
          user(`Prompt ${turn}`, `u${turn}`),
          ...Array.from({ length: count }, (_, n) => agent('Yes', `a${turn}-${n}`)),
        ]);
        const turn = 2 + (seed % (answers.length - 1));
        const end = origin.findIndex(
          (update) => 'messageId' in update && update.messageId === `u${turn - 1}`,
        );
        assert.equal(held(origin.slice(0, end), turn, origin), 'before');
        assert.equal(held(origin, turn, origin), 'whole');
      }),
    );
  });

  it('of a hostile fork is found at once', () => {
    const many = Array.from({ length: 20_000 }, () => user('x', `${Math.random()}`));
    assert.equal(held([user('y', 'y'), ...many], 10, many), 'other');
  });
});
