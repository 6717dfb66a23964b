import assert from 'node:assert/strict';
import { matchesPath } from '../../../../src/model/rules/pathPattern';

describe('patterns of paths in rules', () => {
  it('PE-5: match the whole path', () => {
    for (const [pattern, path, does] of [
      ['src/**', 'src/a/b.ts', true],
      ['src/**', 'src2/a.ts', false],
      ['src/**', 'lib/src/a.ts', false],
      ['src/*.ts', 'src/a.ts', true],
      ['src/*.ts', 'src/a/b.ts', false],
      ['**/*.md', 'README.md', true],
      ['**/*.md', 'a/b/c.md', true],
      ['**/.env', 'a/.env', true],
      ['**/.env', 'a/.env.local', false],
      ['**/secrets/**', 'a/secrets/b/c', true],
      ['?.txt', 'a.txt', true],
      ['?.txt', 'ab.txt', false],
      ['**', '', true],
      ['src', '', false],
      ['README.md', 'README.md', true],
    ] as const) {
      assert.equal(matchesPath(pattern, path), does, `${pattern} ${path}`);
    }
  });

  it('PE-5: have no case where file systems have none', () => {
    for (const platform of ['win32', 'darwin'] as const) {
      assert.ok(matchesPath('**/.env', 'A/.ENV', platform), platform);
    }
    assert.ok(!matchesPath('**/.env', 'A/.ENV', 'linux'));
  });

  it('PE-5: do bounded work, whatever pattern and path are', () => {
    const pattern = Array.from({ length: 250 }, () => '**/a*').join('/');
    assert.equal(matchesPath(pattern, 'a/'.repeat(2000)), false);
  });
});
