import assert from 'node:assert/strict';
import { Lanes } from '../../../src/util/lanes';

/** Lets all pending work continue. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  let begun: string[];
  let ends: Map<string, () => void>;
  const lanes = (): Lanes => new Lanes(2);
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };

  beforeEach(() => {
    begun = [];
    ends = new Map();
  });

  it('keep the order of one key, and do what belongs to others beside it', async () => {
    const some = lanes();
    void some.run('a', work('a1'));
    void some.run('a', work('a2'));
    void some.run('b', work('b1'));
    await turn();
    assert.deepEqual(begun, ['a1', 'b1']);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  });

  it('do something alone, after what came before and before what comes later', async () => {
    const some = lanes();
    void some.run('a', work('a1'));
    void some.runAlone(work('alone'));
    void some.run('b', work('b1'));
    await turn();
    assert.deepEqual(begun, ['a1']);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'alone']);
    await end('alone');
    assert.deepEqual(begun, ['a1', 'alone', 'b1']);
  });

  it('tell of a failure and go on', async () => {
    const some = lanes();
    const fail = (): Promise<void> => Promise.reject(new Error('no'));
    await assert.rejects(some.run('a', fail), /no/);
    await assert.rejects(some.runAlone(fail), /no/);
    await some.run('a', () => Promise.resolve());
    await some.idle;
  });
});
