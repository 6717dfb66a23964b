import assert from 'node:assert/strict';
import { getCommand } from '../../../../../src/features/registry/model/packageSpec';
import { maxEntries, readRegistry } from '../../../../../src/features/registry/model/readRegistry';
import type { RegistryAgent } from '../../../../../src/features/registry/model/registryAgent';
import snapshot from '../../../../../src/features/registry/model/snapshot.json';
import type { JsonObject } from '../../../../../src/util/json';
import { entry, registryOf } from '../../../../support/registryServer';

function read(...entries: readonly unknown[]): readonly RegistryAgent[] {
  return readRegistry(registryOf(...entries))?.agents ?? [];
}

function withNpx(npx: JsonObject): JsonObject {
  return entry('poet', { distribution: { npx } });
}

/** The command of the first package. */
function command(...args: Parameters<typeof entry>): readonly string[] {
  const [first] = read(entry(...args))[0]?.packages ?? [];
  assert.ok(first);
  return getCommand(first);
}

describe('an entry of the agent registry', () => {
  it('has who publishes it, what it is, and where to read more', () => {
    const [agent] = read(
      entry('poet', { website: undefined, repository: 'https://example.org/x' }),
    );
    assert.deepEqual(
      [agent?.name, agent?.version, agent?.authors, agent?.license, agent?.page],
      ['Agent poet', '1.2.3', ['Ada'], 'MIT', 'https://example.org/x'],
    );
  });

  it('is run at exactly its version', () => {
    const npx = (more: JsonObject) => ({
      distribution: { npx: { package: 'poet@1.2.4', ...more } },
    });
    assert.deepEqual(command('a', npx({})), ['npx', '--yes', '--', 'poet@1.2.4']);
    assert.deepEqual(command('a', npx({ cmd: 'write', args: ['acp'] })), [
      ...['npx', '--yes', '--package=poet@1.2.4', '--', 'write', 'acp'],
    ]);
    assert.deepEqual(command('a', npx({ package: '@poems/poet' })), [
      ...['npx', '--yes', '--', '@poems/poet@1.2.3'],
    ]);
    const uvx = (more: JsonObject) => ({ distribution: { uvx: { package: 'poet', ...more } } });
    assert.deepEqual(command('a', uvx({})), ['uvx', 'poet==1.2.3']);
    assert.deepEqual(command('a', uvx({ package: 'poet[acp]==2.0rc1', cmd: 'write' })), [
      ...['uvx', '--from', 'poet[acp]==2.0rc1', 'write'],
    ]);
  });

  it('with several distributions is run by npx first; one with only a binary says so', () => {
    const npx = { package: 'poet@1.2.3' };
    const binary = { 'linux-x86_64': { archive: 'https://example.com/a.zip', cmd: './poet' } };
    const [both] = read(entry('a', { distribution: { binary, uvx: npx, npx } }));
    assert.deepEqual(
      [both?.packages.map(({ runner }) => runner), Object.keys(both?.binaries ?? {})],
      [['npx', 'uvx'], ['linux-x86_64']],
    );
    const [only] = read(entry('a', { distribution: { binary } }));
    assert.deepEqual([only?.packages, only?.binaries['linux-x86_64']?.cmd], [[], ['poet']]);
  });

  const target = {
    archive: 'https://example.com/a.zip',
    cmd: './bin/poet',
    sha256: 'A'.repeat(64),
  };
  const withBinary = (more: JsonObject): JsonObject =>
    entry('poet', { distribution: { binary: { 'linux-x86_64': { ...target, ...more } } } });

  it('names a program with its checksum, without the variables that decide what runs', () => {
    const [agent] = read(withBinary({ args: ['acp'], env: { STYLE: 'ode', LD_PRELOAD: '/x' } }));
    assert.deepEqual(agent?.binaries['linux-x86_64'], {
      ...{ version: '1.2.3', archive: target.archive, sha256: 'a'.repeat(64) },
      ...{ cmd: ['bin', 'poet'], args: ['acp'], env: { STYLE: 'ode' }, refusedEnv: ['LD_PRELOAD'] },
    });
    const [windows] = read(withBinary({ cmd: './bin\\poet.exe' }));
    assert.deepEqual(windows?.binaries['linux-x86_64']?.cmd, ['bin', 'poet.exe']);
  });

  for (const [what, more] of [
    ['an address without encryption', { archive: 'http://example.com/a.zip' }],
    ['an address with a password', { archive: 'https://a:b@example.com/a.zip' }],
    ['a file', { archive: 'file:///a.zip' }],
    ['a checksum that is none', { sha256: 'abc' }],
    ['a checksum that is no text', { sha256: 7 }],
    ['a program above', { cmd: '../poet' }],
    ['a program with an absolute path', { cmd: '/bin/sh' }],
    ['a program on a drive', { cmd: 'C:\\poet.exe' }],
    ['a program whose name is a device', { cmd: './nul' }],
    ['a program without a name', { cmd: './' }],
    ['a program with a variable', { cmd: './${env:HOME}' }],
    ['a secret as an argument', { args: ['${env:TOKEN}'] }],
  ] as const) {
    it(`SEC-49: is left out if it names ${what}`, () => {
      assert.deepEqual(read(withBinary(more)), []);
    });
  }

  for (const spec of [
    'poet@latest',
    'poet@^1.0.0',
    'poet@npm:other@1.0.0',
    'poet@https://example.com/a.tgz',
    'https://example.com/a.tgz',
    'git+ssh://example.com/poet',
    'me/poet',
    './poet',
    '../poet@1.0.0',
    '/tmp/poet@1.0.0',
    '--registry=https://example.com',
    '-c',
    'poet@1.0.0 --evil',
    '',
    'file:poet@1.0.0',
  ]) {
    it(`SEC-44: with the package ${JSON.stringify(spec)} is left out`, () => {
      assert.deepEqual(read(withNpx({ package: spec })), []);
      assert.deepEqual(read(entry('a', { distribution: { uvx: { package: spec } } })), []);
    });
  }

  for (const [what, npx] of Object.entries({
    'a command with a line break': { cmd: 'write\nrm' },
    'a command that is a path': { cmd: '../write' },
    'a command that is an option': { cmd: '--call' },
    'an argument with a line break': { args: ['a\nb'] },
    'an argument that reverses text': { args: ['a\u202eb'] },
    // SEC-44
    'an argument that takes a secret of the user’s': { args: ['--key=${env:TOKEN}'] },
    'a value that takes a secret of the user’s': { env: { KEY: '${env:TOKEN}' } },
    'an argument that is no text': { args: [1] },
    'arguments without an end': { args: Array.from({ length: 100 }, () => 'a') },
    'a very long argument': { args: ['a'.repeat(2000)] },
    'variables without an end': {
      env: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`A${index}`, ''])),
    },
    'a variable with a bad name': { env: { 'A=B': '' } },
  })) {
    it(`with ${what} is left out`, () => {
      assert.equal(read(withNpx({ package: 'poet@1.2.3' })).length, 1);
      assert.deepEqual(read(withNpx({ package: 'poet@1.2.3', ...npx })), []);
    });
  }

  it('SEC-46: sets no variable that decides what runs, where packages are from, or who the user is', () => {
    const bad = [
      ...['PATH', 'Path', 'NODE_OPTIONS', 'node_options', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES'],
      ...['npm_config_registry', 'UV_INDEX_URL', 'PIP_INDEX_URL', 'PYTHONPATH', 'HOME', 'BASH_ENV'],
      ...['SSL_CERT_FILE', 'HTTPS_PROXY', 'https_proxy', 'GIT_SSH_COMMAND', 'XDG_CONFIG_HOME'],
    ];
    const env = Object.fromEntries([...bad, 'POET_STYLE'].map((name) => [name, '1']));
    const [agent] = read(withNpx({ package: 'poet@1.2.3', env }));
    assert.deepEqual(agent?.packages[0]?.env, { POET_STYLE: '1' });
    assert.deepEqual(agent.packages[0].refusedEnv, bad);
  });

  for (const [what, more] of Object.entries({
    'an id of other characters': { id: '../x' },
    'a long id': { id: 'a'.repeat(100) },
    'a version that is none': { version: 'latest' },
    'an invisible name': { name: '\u202e\u200b' },
    'no name': { name: undefined },
    'no distribution': { distribution: undefined },
    'an unknown distribution': { distribution: { docker: { image: 'poet' } } },
    'a distribution that is a text': { distribution: { npx: 'poet@1.2.3' } },
  })) {
    it(`with ${what} is left out`, () => {
      assert.deepEqual(read(entry('a', more)), []);
    });
  }

  it('is shown as clean lines of bounded length, and links only to https', () => {
    const [agent] = read(
      entry('a', {
        name: `Po\net\u202e ${'x'.repeat(500)}`,
        description: 'y'.repeat(5000),
        authors: ['Ada\u0007', 5, ...Array.from({ length: 50 }, () => 'Bo')],
        website: 'http://example.com',
        repository: 'javascript:alert(1)',
      }),
    );
    assert.ok(agent);
    assert.match(agent.name, /^Po et x+…$/);
    assert.ok(agent.name.length <= 61 && agent.description.length <= 301);
    assert.deepEqual([agent.authors[0], agent.authors.length < 11], ['Ada', true]);
    assert.equal(agent.page, undefined);
  });

  it('SEC-107: is one of a bounded number', () => {
    const many = Array.from({ length: 2 * maxEntries }, (_, index) => entry(`a${index}`));
    const result = readRegistry(registryOf(...many));
    assert.equal(result?.agents.length, maxEntries);
    assert.equal(result.leftOut.length, 1);
  });

  it('of the bundled list can be used', () => {
    const result = readRegistry(JSON.stringify(snapshot));
    assert.deepEqual(result?.leftOut, []);
    assert.equal(result.agents.length, snapshot.agents.length);
    assert.ok(result.agents.some(({ packages }) => packages.length > 0));
  });
});
