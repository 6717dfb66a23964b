import assert from 'node:assert/strict';
import { HeldSecrets } from '../../../../src/util/secrets/heldSecrets';

describe('what settings and sign-ins hold', () => {
  const held = (...values: readonly string[]): HeldSecrets => {
    const secrets = new HeldSecrets();
    secrets.addSecrets(values);
    return secrets;
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it('T-35, SEC-60: is found wherever it stands, however it is escaped, and line by line', () => {
    const value = 'pä"ss\\ word+1&2\nsecond line';
    const { without } = held(value);
    const json = JSON.stringify({ a: value });
    for (const text of [
      `x${value}y`,
      json,
      JSON.stringify({ json }),
      `?q=${encodeURIComponent(value)}`,
      `?q=${new URLSearchParams({ value }).toString().slice('value='.length)}`,
      Buffer.from(value).toString('latin1'),
      'second line, then pä"ss\\ word+1&2',
      'pä"ss\\ wo\u001b[1mrd+\u200b1&2',
    ]) {
      const shown = without(text);
      assert.doesNotMatch(shown, /ss|second|1(?:&|%26|\u200b)/, `${text} -> ${shown}`);
      assert.match(shown, /‹hidden›/);
    }
  });

  it('T-35, SEC-60: is found as other programs escape it, in up to three ways at once', () => {
    const value = 'pa/ss"w\\rd é+x=1?z&q';
    const { without } = held(value, 'hunt%20er\\n"3');
    const json = JSON.stringify(value).slice(1, -1);
    const twice = JSON.stringify(JSON.stringify(json)).slice(1, -1);
    for (const text of [
      json.replaceAll('/', '\\/'),
      json.replace('é', '\\u00e9'),
      twice,
      encodeURI(value),
      encodeURIComponent(value).replace(/%\w\w/g, (byte) => byte.toLowerCase()),
      encodeURIComponent(json),
      value.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
      value.replaceAll(/[^\w/é]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
      value.replaceAll(/["\\ ?&=]/g, '\\$&'),
      value.normalize('NFD'),
      value.replace(' ', '\u00a0'),
      ...['hunt%20er\\n"3', 'hunt%20er\\\\n\\"3', 'hunt%2520er%5Cn%223', 'hunt er\\n"3'],
    ]) {
      assert.match(without(`a ${text} b`), /^a (?:\\{0,4}")?‹hidden›(?:\\{0,4}")? b$/, text);
    }
  });

  it('T-35, SEC-60: is found in base64 of either alphabet, whatever is before and behind it', () => {
    for (const value of ['hunter2', 'swördfish/??>>~~', 'abcde', 'x'.repeat(100)]) {
      const { without } = held(value);
      for (const before of ['', 'a', 'ab', 'abc', 'user:', 'a longer text before it']) {
        for (const behind of ['', '!', '!!', ' and more']) {
          const text = base64(before + value + behind);
          for (const encoded of [text, text.replaceAll('+', '-').replaceAll('/', '_')]) {
            assert.equal(without(`(${encoded})`), '(‹hidden›)', `${before}|${value}|${behind}`);
          }
        }
      }
    }
  });

  it('T-35, SEC-60: is part of headers, addresses and arguments, too', () => {
    const secrets = new HeldSecrets();
    secrets.addNamed({ Authorization: 'Custom hunter2', DATABASE: 'db://u:hunt%20er3@host/x' });
    secrets.addNamed({ REPOSITORY: 'https://hunter7token@host/x' });
    secrets.addArguments(['--token', 'hunter4', '--api-key=hunter5', '-u', 'ann:hunter6', '--acp']);
    secrets.addArguments([
      '-H',
      'X-Key: hunter8',
      '--header',
      'X-Auth: Bearer hunter9',
      '-phunter10',
    ]);
    for (const value of [
      'hunter2',
      'hunt%20er3',
      'hunt er3',
      'hunter4',
      'hunter5',
      'ann:hunter6',
      'hunter6',
      'hunter7token',
      'hunter8',
      'hunter9',
      'hunter10',
    ]) {
      assert.equal(secrets.without(`It is ${value}.`), 'It is ‹hidden›.', value);
    }
    assert.equal(secrets.without('--acp --token'), '--acp --token');
  });

  it('SEC-60: leaves words alone: short values within others, and words that aren’t called secrets', () => {
    const secrets = held('test', 'abc', '', 'true', 'a', 'password');
    secrets.addNamed({
      ...{ NODE_ENV: 'production', DEBUG: '1', LEVEL: 'info', PORT: '12345678', API_KEY: 'none' },
    });
    const text = 'the latest production test of info true abc none password 12345678';
    assert.equal(secrets.without(text), text.replace(' test ', ' ‹hidden› '));
    assert.equal(new HeldSecrets().without(text), text);
  });

  it('T-35, SEC-60: is found whatever its size, in whole and in parts, and however many values there are', () => {
    const long = Array.from({ length: 3500 }, (_, at) => (at * at + 1e7).toString(16)).join('ä');
    const lines = Array.from({ length: 500 }, (_, at) => base64(`line ${at}`.padEnd(48, '.')));
    const secrets = held(long);
    secrets.addNamed({ NODE_CERTS: lines.join('\n') });
    secrets.addNamed(Object.fromEntries(lines.map((line, at) => [`V${at}_TOKEN`, `${at}${line}`])));
    assert.ok(long.length > 24_000);
    for (const text of [long, JSON.stringify(long).slice(1, -1), encodeURI(long), ...lines]) {
      assert.equal(secrets.without(`(${text})`), '(‹hidden›)', text.slice(0, 80));
    }
    assert.match(secrets.without(base64(long)), /^‹hidden›$/);
    assert.match(secrets.without(long.slice(0, 2000)), /^‹hidden›.{0,1000}$/);
    assert.match(secrets.without(long.slice(-2000)), /^.{0,1000}‹hidden›$/);
    assert.equal(secrets.without('an ordinary line'), 'an ordinary line');
  });

  it('is found in linear time, and as a whole where values overlap or contain others', () => {
    const { without } = held('hunter2', 'hunter2hunter3', '3hunter2', 'hunter3hunter4');
    assert.equal(without('hunter2hunter3!'), '‹hidden›!');
    assert.equal(without('hunter2hunter3hunter4!'), '‹hidden›!');
    const size = 400_000;
    for (const unit of ['hunter', 'aHVudGVy', 'a', 'h', '+', 'hunter2hunter', ' ']) {
      without(unit.repeat(size / unit.length));
    }
  });
});
