import assert from 'node:assert/strict';
import { readModes } from '../../../../src/protocol/v1/readConfig';

describe('modes', () => {
  it('MO-2: the current one and those there are', () => {
    const modes = {
      currentModeId: 'https://x/plan',
      availableModes: [{ id: 'ask', name: 'Ask', description: 'First' }, { id: 'x' }, null, {}],
    };
    assert.deepEqual(readModes(modes), {
      currentModeId: 'https://x/plan',
      modes: [
        { id: 'ask', name: 'Ask', description: 'First' },
        { id: 'x', name: 'x' },
      ],
    });
  });

  it('MO-2: null, nothing to choose from, and no current mode', () => {
    assert.deepEqual(readModes({ currentModeId: 'a', availableModes: [] }), {
      currentModeId: 'a',
      modes: [],
    });
    assert.deepEqual(readModes({ currentModeId: 'a' }), { currentModeId: 'a', modes: [] });
    for (const value of [null, undefined, 'x', { availableModes: [] }, { currentModeId: 5 }]) {
      assert.equal(readModes(value), undefined);
    }
  });
});
