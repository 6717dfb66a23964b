import assert from 'node:assert/strict';
import { literal } from '../../../../src/shared/literal';
import type { FormField } from '../../../../src/shared/requests/agentQuestions';
import { isSecret } from '../../../../src/shared/requests/secretField';
import { readAddress } from '../../../../src/webview/cards/address';
import { FormDrafts, getValues, tooLong } from '../../../../src/webview/state/formDrafts';

const base = { title: 'T', required: false } as const;

describe('what cards are made of', () => {
  it('PE-9: what can’t be seen is named; all else stays as it is', () => {
    const plain = 'Füße 日本 עברית 👩‍💻 ❤️ a\tb\r\nc\n<b>[x](y)</b>';
    assert.equal(literal(plain), plain);
    for (const [character, name] of [
      ['\u202e', '202E'],
      ['\u2066', '2066'],
      ['\u200b', '200B'],
      ['\u00ad', '00AD'],
      ['\u001b', '001B'],
      ['\r', '000D'],
      ['\u2028', '2028'],
      ['\u2800', '2800'],
      ['\u{e0041}', 'E0041'],
      ['\ud800', 'D800'],
      ['\u200d', '200D'],
    ] as const) {
      assert.equal(literal(`a${character}b`), `a⟨U+${name}⟩b`);
    }
  });

  it('EL-13: an address is taken apart around its host, and suspicious ones are warned of', () => {
    const url = 'https://user:pw@Shop.example:8443/a?b=c#d';
    const address = readAddress(url);
    assert.deepEqual(
      [address?.before, address?.host, address?.after],
      ['https://user:pw@', 'shop.example:8443', '/a?b=c#d'],
    );
    assert.match(address?.warnings.join() ?? '', /leads to shop\.example:8443/);
    const count = (text: string): number | undefined => readAddress(text)?.warnings.length;
    assert.equal(count('https://shop.example/?q=a@b'), 0);
    assert.equal(count('https://аpple.com/'), 1, 'a Cyrillic letter');
    assert.equal(count('https://www.xn--pple-43d.com/'), 1);
    assert.equal(count('http://shop.example/'), 1);
    assert.equal(count('http://localhost.shop.example/'), 1);
    for (const own of ['http://localhost:80/', 'http://127.0.0.1:4711/', 'http://[::1]/x']) {
      assert.equal(count(own), 0, own);
    }
    assert.deepEqual(
      [address?.canOpen, readAddress('https://shop.example/')?.canOpen],
      [false, true],
      'the host opens none with a user name',
    );
    for (const none of ['javascript:alert(1)', 'file:///etc/passwd', 'no address', '']) {
      assert.equal(readAddress(none), undefined, none);
    }
  });

  it('EL-6: a form begins with its defaults, and keeps its values until it is answered', () => {
    const forms = new FormDrafts();
    const fields: readonly FormField[] = [
      { ...base, type: 'string', name: 's', initial: 'a' },
      { ...base, type: 'integer', name: 'n', initial: 0 },
      { ...base, type: 'boolean', name: 'b', initial: true },
      { ...base, type: 'multiselect', name: 'm', choices: [], initial: ['x'] },
      { ...base, type: 'string', name: '__proto__', initial: 'own' },
    ];
    const draft = forms.of(1, fields);
    const begun = [...draft.value];
    assert.deepEqual(begun, [
      ['s', 'a'],
      ['n', '0'],
      ['b', true],
      ['m', ['x']],
      ['__proto__', 'own'],
    ]);
    draft.value = new Map(draft.value).set('s', 'changed');
    assert.equal(forms.of(1, fields).value.get('s'), 'changed');
    assert.equal(forms.of(2, fields).value.get('s'), 'a');
    forms.forget(1);
    assert.equal(forms.of(1, fields).value.get('s'), 'a');
    assert.ok(Object.hasOwn(getValues(fields, draft.value), '__proto__'));
  });

  it('EL-18: values have the type of their field, and empty ones are left out', () => {
    const fields: readonly FormField[] = [
      { ...base, type: 'string', name: 's' },
      { ...base, type: 'number', name: 'n' },
      { ...base, type: 'integer', name: 'bad' },
      { ...base, type: 'boolean', name: 'b' },
      { ...base, type: 'multiselect', name: 'none', choices: [] },
      { ...base, type: 'multiselect', name: 'must', choices: [], required: true },
      { ...base, type: 'unknown', name: 'u' },
    ];
    const values = (entries: [string, string | boolean | string[]][]) =>
      getValues(fields, new Map(entries));
    assert.deepEqual(
      values([
        ['s', ''],
        ['n', ' -1.5e2 '],
        ['bad', 'Infinity'],
        ['b', false],
        ['none', []],
        ['must', []],
        ['u', 'x'],
      ]),
      { n: -150, bad: 'Infinity', b: false, must: [] },
    );
    assert.equal(values([['n', '  ']])['n'], undefined);
  });

  it('EL-6: a value that is too long to be sent has an error, and no other value has', () => {
    assert.equal(tooLong({ s: 'x'.repeat(100_000), n: 1, b: true, m: ['a'] }), undefined);
    for (const length of [100_001, 200_000]) {
      const errors = tooLong({ s: 'x'.repeat(length), other: 'x' });
      assert.deepEqual(errors, { s: 'Enter at most 100,000 characters.' });
    }
  });

  it('EL-17: fields that ask for secrets are known by their name or title', () => {
    const field = (name: string, title = name): FormField => ({
      ...base,
      type: 'string',
      name,
      title,
    });
    for (const name of ['password', 'apiKey', 'GITHUB_TOKEN', 'client-secret']) {
      assert.ok(isSecret(field(name)), name);
    }
    assert.ok(isSecret(field('x', 'Your passphrase')));
    assert.ok(!isSecret(field('name', 'Pass')));
  });
});
