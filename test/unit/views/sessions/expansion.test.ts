import assert from 'node:assert/strict';
import { Expansion } from '../../../../src/views/sessions/expansion';

/** A window's state, which survives a restart. */
class Memory {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, fallback?: T): T | undefined {
    return (this.#values.get(key) as T | undefined) ?? fallback;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

describe('expansion of the tree', () => {
  it('is kept as the user left it, across restarts', () => {
    const memory = new Memory();
    const before = new Expansion(memory);
    assert.equal(before.isExpanded('a', true), true);
    before.remember('a', false);
    before.remember('b', true);
    const after = new Expansion(memory);
    assert.equal(after.isExpanded('a', true), false);
    assert.equal(after.isExpanded('b', false), true);
    assert.equal(after.isExpanded('c', false), false);
  });

  it('is remembered for a bounded number of nodes, the latest', () => {
    const memory = new Memory();
    const before = new Expansion(memory);
    for (let index = 0; index < 300; index++) {
      before.remember(`n${index}`, true);
    }
    const after = new Expansion(memory);
    assert.equal(after.isExpanded('n0', false), false);
    assert.equal(after.isExpanded('n299', false), true);
  });

  it('starts over if the stored value is unusable', async () => {
    const memory = new Memory();
    await memory.update('sessions.expansion', [['a', 'yes'], 7, ['b', true]]);
    const expansion = new Expansion(memory);
    assert.equal(expansion.isExpanded('a', false), false);
    assert.equal(expansion.isExpanded('b', false), true);
  });
});
