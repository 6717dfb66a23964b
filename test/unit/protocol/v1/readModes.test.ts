import assert from 'node:assert/strict';
import { maxItems } from '../../../../src/protocol/bounds';
import { readModels, readModes } from '../../../../src/protocol/v1/readConfig';

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

describe('models in a field of their own', () => {
  it('MO-5: those of Gemini, which may be in one that isn’t offered', () => {
    const models = {
      availableModels: [
        { modelId: 'auto', name: 'Auto', description: 'Let Gemini CLI decide' },
        { modelId: 'gemini-2.5-pro', name: 'gemini-2.5-pro' },
        { modelId: 'auto', name: 'Again' },
        ...[{ modelId: 'x' }, { name: 'No id' }, null],
      ],
      currentModelId: 'gemini-2.5-flash',
    };
    assert.deepEqual(readModels(models), {
      currentModelId: 'gemini-2.5-flash',
      models: [
        { value: 'auto', name: 'Auto', description: 'Let Gemini CLI decide' },
        { value: 'gemini-2.5-pro', name: 'gemini-2.5-pro' },
        { value: 'x', name: 'x' },
      ],
    });
  });

  it('MO-5: nothing to choose from, and no current model', () => {
    const one = [{ modelId: 'a' }];
    for (const value of [
      ...[null, undefined, 'x', one, { availableModels: one }],
      ...[{ currentModelId: 'a' }, { currentModelId: 'a', availableModels: [] }],
      ...[{ currentModelId: 5, availableModels: one }],
    ]) {
      assert.equal(readModels(value), undefined);
    }
  });

  it('MO-5: no more than a menu has room for', () => {
    const availableModels = Array.from({ length: 2 * maxItems }, (_, n) => ({ modelId: `${n}` }));
    const read = readModels({ currentModelId: '0', availableModels });
    assert.equal(read?.models.length, maxItems);
  });
});
