import assert from 'node:assert/strict';
import { PromptQueue } from '../../../../src/model/turns/promptQueue';
import { fc } from '../../../support/properties';
import { draft } from '../sessionBench';

const texts = (queue: PromptQueue): string => queue.all.map((each) => each.draft.text).join(' ');

describe('the queue of prompts', () => {
  function queueOf(...all: readonly string[]): PromptQueue {
    const queue = new PromptQueue();
    for (const text of all) {
      queue.add(draft(text));
    }
    return queue;
  }

  it('moves a prompt up, down, and no farther than the ends', () => {
    const queue = queueOf('a', 'b', 'c');
    const [, b] = queue.all;
    queue.move(b!.id, 0);
    assert.equal(texts(queue), 'b a c');
    queue.move(b!.id, 2);
    assert.equal(texts(queue), 'a c b');
    queue.move(b!.id, 99);
    assert.equal(texts(queue), 'a c b');
    queue.move(12_345, 0);
    assert.equal(texts(queue), 'a c b');
  });

  it('moves held prompts among themselves only', () => {
    const queue = queueOf('c', 'd');
    queue.restore([draft('a'), draft('b')]);
    queue.move(queue.all[0]!.id, 1);
    assert.equal(texts(queue), 'b a c d');
    queue.move(queue.all[2]!.id, 1);
    assert.equal(texts(queue), 'b a d c');
    assert.equal(queue.next?.draft.text, 'd', 'a held one is never next');
  });

  it('loses and doubles nothing, whatever is moved where', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(8), fc.nat(9))), (moves) => {
        const queue = queueOf('a', 'b', 'c', 'd');
        queue.restore([draft('x'), draft('y'), draft('z')]);
        for (const [id, to] of moves) {
          queue.move(id, to);
        }
        assert.deepEqual(
          queue.all.map((each) => each.draft.text).sort(),
          'a b c d x y z'.split(' '),
        );
        assert.deepEqual(
          queue.all.map(({ held }) => held === true),
          [true, true, true, false, false, false, false],
        );
      }),
    );
  });
});
