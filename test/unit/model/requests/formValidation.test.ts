import assert from 'node:assert/strict';
import { ownValues, validateForm } from '../../../../src/model/requests/formValidation';
import type { FieldValue, FormField } from '../../../../src/shared/requests/agentQuestions';

const base = { name: 'f', title: 'F', required: false } as const;
const choices = ['a', 'b', 'c'].map((value) => ({ value, title: value }));

function error(field: FormField, value?: FieldValue): string | undefined {
  return validateForm([field], value === undefined ? {} : { f: value })?.['f'];
}

describe('Forms', () => {
  const cases: readonly (readonly [FormField, FieldValue, FieldValue])[] = [
    [{ ...base, type: 'string', minLength: 2 }, 'ab', 'a'],
    [{ ...base, type: 'string', maxLength: 2 }, '😀😀', 'abc'],
    [{ ...base, type: 'string', pattern: '^\\d+$' }, '12', '1x'],
    [{ ...base, type: 'string' }, '', 1],
    [{ ...base, type: 'string', format: 'email' }, 'a@b.c', 'a b'],
    [{ ...base, type: 'string', format: 'uri' }, 'https://example.org', 'example'],
    [{ ...base, type: 'string', format: 'date' }, '2026-02-28', '2026-02-30'],
    [{ ...base, type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z', '2026-01-31'],
    [{ ...base, type: 'number', minimum: 1 }, 1.5, 0.5],
    [{ ...base, type: 'number', maximum: 1 }, 1, Number.POSITIVE_INFINITY],
    [{ ...base, type: 'integer' }, 2, 2.5],
    [{ ...base, type: 'boolean' }, false, 'no'],
    [{ ...base, type: 'select', choices }, 'a', 'z'],
    [{ ...base, type: 'multiselect', choices, minItems: 1 }, ['a'], []],
    [{ ...base, type: 'multiselect', choices, maxItems: 1 }, ['a'], ['a', 'b']],
    [{ ...base, type: 'multiselect', choices }, ['a', 'b'], ['a', 'z']],
  ];
  for (const [field, good, bad] of cases) {
    it(`EL-6: ${JSON.stringify(field)} takes ${JSON.stringify(good)}, not ${JSON.stringify(bad)}`, () => {
      assert.equal(error(field, good), undefined);
      assert.equal(typeof error(field, bad), 'string');
    });
  }

  it('EL-18: an empty field is absent; only a required one is missed', () => {
    assert.equal(error({ ...base, type: 'string', minLength: 2 }), undefined);
    assert.equal(typeof error({ ...base, type: 'string', required: true }), 'string');
  });

  it('EL-18: only the form’s own fields are sent', () => {
    const fields: FormField[] = [
      { ...base, type: 'string' },
      { ...base, name: 'u', type: 'unknown' },
    ];
    assert.deepEqual(ownValues(fields, { f: 'x', u: 'y', z: 'z' }), { f: 'x' });
  });

  it('EL-7: a required field of an unknown type cannot be passed over', () => {
    assert.match(error({ ...base, type: 'unknown', required: true }) ?? '', /Decline/);
  });

  for (const format of ['hostname', 'toString', '__proto__']) {
    it(`EL-9, V2-ELI-2: the format ${format} is no reason to refuse`, () => {
      assert.equal(error({ ...base, type: 'string', format }, 'anything'), undefined);
    });
  }

  const hostile: readonly (readonly [string, string])[] = [
    ['^(a+)+$', `${'a'.repeat(60)}!`],
    ['(a*)\\1\\1\\1\\1b', 'a'.repeat(5_000)],
    ['(?:a{0,9999}){0,9999}b', 'a'.repeat(5_000)],
    // Compiling this expression ends the process.
    [`${'(x'.repeat(20_000)}${')'.repeat(20_000)}`, 'y'],
    ['[', 'x'],
  ];
  for (const [pattern, value] of hostile) {
    it(`EL-8: the pattern ${pattern.slice(0, 30)} comes to an end, and is left to the agent`, () => {
      assert.equal(error({ ...base, type: 'string', pattern }, value), undefined);
    });
  }

  it('EL-8: however many patterns, they have a time limit together', () => {
    const fields: FormField[] = Array.from({ length: 100 }, (_, index) => ({
      ...base,
      name: `f${index}`,
      type: 'string',
      pattern: '^(a+)+$',
    }));
    const values = Object.fromEntries(fields.map(({ name }) => [name, `${'a'.repeat(60)}!`]));
    assert.equal(validateForm(fields, values), undefined);
  });

  it('a field with a name that means something to objects is a field', () => {
    const field: FormField = { ...base, name: '__proto__', type: 'string', required: true };
    const errors = validateForm([field], {});
    assert.ok(errors);
    assert.deepEqual(Object.keys(errors), ['__proto__']);
  });
});
