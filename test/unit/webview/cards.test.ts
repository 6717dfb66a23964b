import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FormField } from '../../../src/shared/requests';
import { readAddress } from '../../../src/webview/cards/address';
import { FormDrafts, valuesOf } from '../../../src/webview/cards/formDrafts';
import { literal } from '../../../src/webview/literal';

const base = { required: false };
const choices = [
  { value: 'a', title: 'First' },
  { value: 'b', title: 'Second' },
];
const fields: readonly FormField[] = [
  { ...base, name: 'name', title: 'Name', type: 'string', initial: 'Ada' },
  { ...base, name: 'age', title: 'Age', type: 'integer', initial: 36 },
  { ...base, name: 'share', title: 'Share', type: 'number' },
  { ...base, name: 'news', title: 'News', type: 'boolean', initial: true },
  { ...base, name: 'one', title: 'One', type: 'select', choices, initial: 'b' },
  { ...base, name: 'some', title: 'Some', type: 'multiselect', choices, initial: ['a'] },
  { ...base, name: 'paint', title: 'Paint', type: 'unknown' },
];

describe('what stands in a form', () => {
  it('EL-6: is what the agent would have there, to begin with', () => {
    assert.deepEqual(valuesOf(fields, new FormDrafts().of(1, fields).value), {
      name: 'Ada',
      age: 36,
      news: true,
      one: 'b',
      some: ['a'],
    });
  });

  it('stays until the request is answered, and is no other request’s', () => {
    const drafts = new FormDrafts();
    drafts.of(1, fields).value = new Map([['name', 'Grace']]);
    assert.equal(drafts.of(1, fields).value.get('name'), 'Grace');
    assert.equal(drafts.of(2, fields).value.get('name'), 'Ada');
    drafts.forget(1);
    assert.equal(drafts.of(1, fields).value.get('name'), 'Ada');
  });

  it('EL-18: is left out where nothing was entered, and a number where it can be one', () => {
    const entered = (name: string, value: string | readonly string[]) => {
      const draft = new FormDrafts().of(1, fields).value;
      return valuesOf(fields, new Map([...draft, [name, value]]))[name];
    };
    assert.equal(entered('name', ''), undefined);
    assert.equal(entered('age', ' 40 '), 40);
    assert.equal(entered('share', '1.5e2'), 150);
    assert.equal(entered('age', 'forty'), 'forty');
    assert.equal(entered('age', ' '), undefined);
    assert.equal(entered('one', ''), undefined);
    assert.equal(entered('some', []), undefined);
    assert.equal(entered('paint', 'red'), undefined);
  });
});

describe('a web address on a card', () => {
  const warnings = (url: string): number => readAddress(url)?.warnings.length ?? -1;

  it('EL-11, EL-13: is whole, with its host by itself', () => {
    const url = 'https://login.example.org:8443/device?code=AB-12#here';
    const { before, host, after } = readAddress(url) ?? assert.fail();
    assert.deepEqual(
      [before, host, after],
      ['https://', 'login.example.org:8443', '/device?code=AB-12#here'],
    );
  });

  it('EL-11: loses nothing of any address', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const { before, host, after } = readAddress(url) ?? assert.fail();
        assert.equal(before + host + after, new URL(url).href);
        assert.equal(host, new URL(url).host);
      }),
    );
  });

  it('EL-13: warns of names that look like others, whichever way they are written', () => {
    for (const url of [
      'https://xn--pple-43d.com',
      'https://аpple.com',
      'https://login.xn--e1a.org',
    ]) {
      assert.match(readAddress(url)?.warnings.join() ?? '', /can look like others/, url);
      assert.match(readAddress(url)?.host ?? '', /xn--/, url);
    }
    assert.equal(warnings('https://apple.com/xn--path'), 0);
  });

  it('EL-13: warns of a user that reads like a host', () => {
    const address = readAddress('https://example.org@evil.example/') ?? assert.fail();
    assert.equal(address.host, 'evil.example');
    assert.match(address.warnings.join(), /leads to evil\.example/);
  });

  it('EL-13: warns of what is not encrypted, except on this machine', () => {
    assert.match(readAddress('http://example.org')?.warnings.join() ?? '', /not encrypted/);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80', 'app.localhost']) {
      assert.equal(warnings(`http://${host}/`), 0, host);
    }
    assert.equal(warnings('http://localhost.example.org/'), 1);
  });

  it('EL-11: is none when it is of no web page', () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x', 'data:,x', 'x']) {
      assert.equal(readAddress(url), undefined, url);
    }
  });
});

describe('a text to decide about', () => {
  it('PE-9: names what can’t be seen, and leaves everything else alone', () => {
    assert.equal(literal('rm \u202egpj.x'), 'rm ⟨U+202E⟩gpj.x');
    assert.equal(literal('ls\u200b -la\u0007'), 'ls⟨U+200B⟩ -la⟨U+0007⟩');
    assert.equal(literal('[a](b)\n\tüñ 日本 👩‍💻 ✔️'), '[a](b)\n\tüñ 日本 👩‍💻 ✔️');
  });

  it('PE-9: names a carriage return that would hide what stands before it', () => {
    assert.equal(literal('rm -rf ~\rls'), 'rm -rf ~⟨U+000D⟩ls');
    assert.equal(literal('one\r\ntwo'), 'one\r\ntwo');
  });
});
