import assert from 'node:assert/strict';
import { readConfigOptions } from '../../../../../src/protocol/v1/readConfig';
import { normalise } from '../../v1/normalised';

describe('config options', () => {
  const model = {
    id: 'model',
    name: 'Model',
    description: 'Who answers',
    category: 'model',
    type: 'select',
    currentValue: 'a',
  };
  const read = {
    id: 'model',
    name: 'Model',
    description: 'Who answers',
    category: 'model',
    type: 'select',
    value: 'a',
  };
  const a = { value: 'a', name: 'A', description: 'first' };
  const b = { value: 'b', name: 'B' };

  it('CF-3: flat choices and grouped ones', () => {
    assert.deepEqual(readConfigOptions([{ ...model, options: [a, b] }]), [
      { ...read, groups: [{ choices: [a, b] }] },
    ]);
    const options = [
      { group: 'g1', name: 'Fast', options: [a] },
      { group: 'g2', name: 'Slow', options: [b, null, { name: 'no value' }] },
      { group: 'empty', name: 'None', options: [] },
    ];
    assert.deepEqual(readConfigOptions([{ ...model, options }]), [
      {
        ...read,
        groups: [
          { name: 'Fast', choices: [a] },
          { name: 'Slow', choices: [b] },
        ],
      },
    ]);
  });

  it('CF-3: booleans', () => {
    const option = { id: 'think', name: 'Think', type: 'boolean' };
    assert.deepEqual(readConfigOptions([{ ...option, currentValue: false }]), [
      { ...option, value: false },
    ]);
  });

  it('CF-2, CF-4: the order is the agent’s, any category is kept, and none is needed', () => {
    const options = ['_x', 'future', undefined, null, 'model'].map((category, index) => ({
      ...model,
      id: `o${index}`,
      category,
      options: [a],
    }));
    assert.deepEqual(
      readConfigOptions(options)?.map((option) => [option.id, option.category]),
      [
        ['o0', '_x'],
        ['o1', 'future'],
        ['o2', undefined],
        ['o3', undefined],
        ['o4', 'model'],
      ],
    );
  });

  it('CF-6: options of an unknown type and broken ones are left out, the others stay', () => {
    const options = [
      { ...model, type: 'number', currentValue: 5 },
      { ...model, options: 'x' },
      { ...model, currentValue: 7, options: [a] },
      { id: 'flag', name: 'F', type: 'boolean', currentValue: 'yes' },
      { name: 'without id', type: 'boolean', currentValue: true },
      null,
      'x',
      { ...model, id: 'good', options: [a] },
      { ...model, id: 'good', name: 'again', options: [a] },
    ];
    assert.deepEqual(readConfigOptions(options), [
      { ...read, id: 'good', groups: [{ choices: [a] }] },
    ]);
  });

  it('CF-3: a value that is not among the choices, or without any, is still the value', () => {
    const [option] = readConfigOptions([{ ...model, currentValue: 'zz', options: [] }]) ?? [];
    assert.deepEqual(option, { ...read, value: 'zz', groups: [] });
  });

  it('CF-9: a list is complete, also if it is empty; anything else is ignored', () => {
    assert.deepEqual(readConfigOptions([]), []);
    for (const value of [undefined, null, {}, 'x']) {
      assert.equal(readConfigOptions(value), undefined);
    }
  });

  it('CF-9: an update carries the list in the same form', () => {
    const update = { sessionUpdate: 'config_option_update', configOptions: [] };
    assert.deepEqual(normalise(update), update);
    assert.deepEqual(normalise({ ...update, configOptions: [{ ...model, options: [a] }] }), {
      ...update,
      configOptions: [{ ...read, groups: [{ choices: [a] }] }],
    });
  });
});
