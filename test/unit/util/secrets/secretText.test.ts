import assert from 'node:assert/strict';
import {
  isSecretMember,
  withoutSecrets,
  withoutTokens,
} from '../../../../src/util/secrets/secretText';
import {
  endlessUnits,
  hasSecret,
  keyTexts,
  secretTexts,
  tokenTexts,
} from '../../../support/secretTexts';

const ordinaryTexts = [
  'password = getPassword()',
  'const token = await next();',
  'this.apiKey = options.apiKey;',
  'key = keyOf(address)',
  'apiKey: config.apiKey,',
  'token: string; password?: string',
  'keys.map((key) => key.length)',
  'sorted(names, key=lambda name: name)',
  '<Row key={item.id} />',
  'token::Kind std::key',
  'sk_buff_head_init_queue(skeletonLoadingState)',
  'password: ${PASSWORD}, token: <your token>, secret: ***',
  'Set the variable API_KEY, or process.env.API_KEY, to your key.',
  'The key is under the mat. Is it? a=b',
  'Error: task-runner-of-this-project failed at src/key-map.ts:12:5, see eyJ',
  'Unexpected token } in JSON at position 5, unexpected token "foo"',
  'Incorrect API key provided. Invalid token: expired',
  'Authorization header is missing; Basic authentication is required',
  'Bearer authentication, a basic understanding',
  'Enter your password:\nDone',
  'max_tokens = 4096, inputTokens: 1523, "keyboard": "qwerty"',
  'password_file: /etc/x, secret_name = prod, TOKEN_URL=x',
  'PWD=/home/ann',
  'commit 1234567890abcdef1234567890abcdef12345678',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '550e8400-e29b-41d4-a716-446655440000',
  '/home/ann/.ssh/authorized_keys C:\\Users\\ann\\key.txt',
  'https://registry.npmjs.org/@scope/pkg/-/pkg-1.0.0.tgz',
  'http://localhost:8080/@vite/client ssh://git@github.com/a/b git@github.com:a/b.git',
  'docker run -u 1000:1000 image:tag@sha256:abcdef npm:react@18.2.0',
  'git push -u origin main',
  'a file that begins with -----BEGIN CERTIFICATE----- is needed',
  'node:internal/modules/cjs/loader:1215',
  'const key = "name1"; if (key === "Enter1") {}',
  'monkey = banana42, turkey: sandwich12',
  'Passwords: 3 of 5',
  'npm_package_version_2 npm_config_registry_2 hf_transformers_model_v2_x',
  'basic example1, Basic authentication1',
  'password:\n  type: string\ntoken:\n- a1',
  '{"name":"version","value":"12345678"} // see a:b',
  'a\\tb C:\\new\\table %41%zz &amp; &unknown; \\ud83d',
];

describe('a text without secrets', () => {
  for (const [what, texts] of Object.entries(secretTexts)) {
    it(`T-35, SEC-61: has no secret that is ${what}`, () => {
      for (const text of texts) {
        for (const around of [text, `Failed: ${text}\nEnd`, `{"text":${JSON.stringify(text)}}`]) {
          const shown = withoutSecrets(around);
          assert.ok(!hasSecret(shown), `${around} -> ${shown}`);
          assert.match(shown, /‹hidden›/);
        }
      }
    });
  }

  it('T-35, SEC-61: has no key in PEM, whole, cut off at either end, or line by line', () => {
    for (const text of keyTexts) {
      for (const around of [text, `Read:\n${text}`]) {
        const shown = withoutSecrets(around);
        assert.ok(!hasSecret(shown), `${around} -> ${shown}`);
      }
    }
    const [whole = ''] = keyTexts;
    assert.equal(
      withoutSecrets(`before\n${whole}\nafter`),
      'before\n-----BEGIN RSA PRIVATE KEY-----‹hidden›-----END RSA PRIVATE KEY-----\nafter',
    );
  });

  it('T-35, SEC-61: has no token of a common service, also if that is cut off', () => {
    for (const token of tokenTexts) {
      for (const text of [token, `(${token})`, `x\\n${token}`, `a%3D${token}`, `"${token}"`]) {
        assert.ok(!hasSecret(withoutSecrets(text)), text);
      }
    }
    assert.equal(withoutSecrets('It is sk-ant-api03-a1b2c3d4e5f6.'), 'It is ‹hidden›.');
  });

  it('SEC-61: is otherwise as it was: sentences, programs, paths, hashes and ids', () => {
    for (const text of ordinaryTexts) {
      assert.equal(withoutSecrets(text), text);
    }
  });

  it('T-35, SEC-61: is found in linear time, whatever is repeated', () => {
    const size = 50_000;
    for (const unit of endlessUnits) {
      withoutSecrets(unit.repeat(size / unit.length));
      withoutSecrets(`${unit.repeat(size / 2 / unit.length)}${'.'.repeat(size / 2)}`);
    }
  });

  it('T-35: hides a long value as a whole', () => {
    const value = 'hunter2'.repeat(2000);
    for (const text of [
      `password=${value}`,
      `key: ${value}.`,
      `Cookie: a=${value}`,
      `TOKEN=${value};`,
    ]) {
      assert.ok(!hasSecret(withoutSecrets(text)), text.slice(0, 40));
    }
  });

  it('says what was hidden where, and stays the same if it is cleaned once more', () => {
    for (const [text, shown] of [
      ['run --token="a b" -v', 'run --token="‹hidden›" -v'],
      ['at https://a:b@host/x?y=z#top now', 'at https://a:‹hidden›@host/x?y=‹hidden›#top now'],
      ['curl -H "Cookie: a=b" -u c:d host', 'curl -H "Cookie: ‹hidden›" -u c:‹hidden› host'],
      ['{"token": "a b", "size": 5}', '{"token": "‹hidden›", "size": 5}'],
      ['password=\u001b[1mhunter2\u001b[0m!', 'password=‹hidden›'],
    ] as const) {
      assert.equal(withoutSecrets(text), shown);
      assert.equal(withoutSecrets(shown), shown);
    }
  });

  it('keeps ids and cursors apart, but none that is a token', () => {
    for (const id of ['eyJvZmZzZXQiOjUwfQAAAA', 'page?key=2&token=3', 'sess-key=1']) {
      assert.equal(withoutTokens(id), id);
    }
    assert.equal(withoutTokens('a:ghp_a1B2c3D4e5F6g7H8'), 'a:‹hidden›');
  });

  it('T-35: leaves out members by their names', () => {
    for (const name of ['password', 'apiKey', 'accessToken', 'client_secret', 'Authorization']) {
      assert.ok(isSecretMember(name, 'hunter'), name);
    }
    assert.ok(isSecretMember('key', 'hunter22') && isSecretMember('password', 1234));
    for (const [name, value] of [
      ['key', 'ArrowUp'],
      ['maxTokens', 4096],
      ['tokenUrl', 'https://host.example'],
      ['password', 'string'],
      ['author', 'Ann'],
    ] as const) {
      assert.ok(!isSecretMember(name, value), name);
    }
  });
});
