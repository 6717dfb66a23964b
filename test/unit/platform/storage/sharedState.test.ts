import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedState } from '../../../../src/platform/storage/sharedState';

/** A window whose stored values come back a little later, as in VS Code, and replace all that was changed since. */
class Window {
  #values: Record<string, unknown> = {};
  /** What other windows see. */
  stored = '{}';

  get(key: string): unknown {
    return this.#values[key];
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values[key] = value;
    await turn();
    this.stored = JSON.stringify(this.#values);
    const back = this.stored;
    await turn();
    this.#values = JSON.parse(back) as Record<string, unknown>;
  }
}

describe('state that all windows share', () => {
  it('has what was changed while VS Code stored another value', async () => {
    const window = new Window();
    const state = new SharedState(window);
    const first = state.update('a', 1);
    await turn();
    const second = state.update('b', [2]);
    assert.deepEqual(state.get('b'), [2], 'at once');
    await Promise.all([first, second]);
    assert.deepEqual([state.get('a'), state.get('b')], [1, [2]]);
    assert.deepEqual(JSON.parse(window.stored), { a: 1, b: [2] });
  });

  it('has the newest of several values, and none once it is removed', async () => {
    const state = new SharedState(new Window());
    await Promise.all([state.update('a', 1), state.update('b', 1), state.update('a', 2)]);
    assert.deepEqual([state.get('a'), state.get('b')], [2, 1]);
    await state.update('a', undefined);
    assert.equal(state.get('a'), undefined);
  });

  it('gives up on a value that is never kept', async () => {
    const state = new SharedState({ get: () => undefined, update: () => Promise.resolve() });
    await state.update('a', 1);
    assert.equal(state.get('a'), undefined);
  });
});
