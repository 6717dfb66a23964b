import assert from 'node:assert/strict';
import { readConfigOptions } from '../../../../../src/protocol/v1/readConfig';
import { readConfigOptions as readVersion2 } from '../../../../../src/protocol/v2/readLists';
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
      readConfigOptions(options)?.map(
        (option) => option.type !== 'unknown' && [option.id, option.category],
      ),
      [
        ['o0', '_x'],
        ['o1', 'future'],
        ['o2', undefined],
        ['o3', undefined],
        ['o4', 'model'],
      ],
    );
  });

  it('CF-3: broken options are left out, the others stay', () => {
    const options = [
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

  it('CF-6, T-99: options of an unknown type are at the end, with what was sent', () => {
    const number = { id: 'heat', name: 'Temperature', type: 'number', currentValue: 5 };
    const named = { id: 'heat', type: 'number' };
    const options = [
      number,
      { ...model, options: [a] },
      named,
      { type: 'date' },
      { id: 'own', type: '_date' },
    ];
    const unknown = (kind: string, name: string, sent: object): object => {
      return { type: 'unknown', kind, name, raw: JSON.stringify(sent, undefined, 2) };
    };
    assert.deepEqual(readConfigOptions(options), [
      { ...read, groups: [{ choices: [a] }] },
      unknown('number', 'Temperature', number),
      unknown('number', 'heat', named),
      unknown('date', 'date', { type: 'date' }),
    ]);
    const [inVersion2] = readVersion2([{ configId: 'heat', type: 'number' }]) ?? [];
    assert.equal(inVersion2?.name, 'heat');
  });

  it('CF-6: no more than 20 options of unknown types are kept, each with no more than 20 KB', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      id: `o${index}`,
      type: 'number'.repeat(index === 0 ? 10_000 : 1),
      note: 'x'.repeat(index === 0 ? 40_000 : 1),
    }));
    const found = readConfigOptions([...many, { ...model, options: [a] }]) ?? [];
    assert.equal(found.length, 21);
    assert.equal(found[0]?.type, 'select');
    assert.ok(JSON.stringify(found[1]).length < 22_000);
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
