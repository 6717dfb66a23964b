import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint, GitWorld } from './gitWorld';

describe('checkpoints and what git is configured to do', () => {
  let world: GitWorld;
  beforeEach(() => {
    world = new GitWorld();
  });
  afterEach(() => world.close());

  const conversions: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['core.autocrlf', '[core]\n\tautocrlf = true\n', {}],
    ['core.autocrlf = input', '[core]\n\tautocrlf = input\n', {}],
    ['text=auto', '', { '.gitattributes': '* text=auto\n' }],
    ['text eol=crlf', '', { '.gitattributes': '*.txt text eol=crlf\n' }],
    ['crlf', '', { '.gitattributes': '*.txt crlf\n' }],
    ['ident', '', { '.gitattributes': '*.txt ident\n' }],
    [
      'working-tree-encoding',
      '',
      { '.gitattributes': 'c.txt text working-tree-encoding=UTF-16LE\n' },
    ],
    ['a macro', '', { '.gitattributes': '[attr]lines text eol=crlf\n*.txt lines\n' }],
    ['attributes of a folder', '', { 'sub/.gitattributes': '*.txt text eol=crlf\n' }],
  ];
  for (const [name, config, attributes] of conversions) {
    it(`record the bytes on the disk whatever git would make of them: ${name}`, async () => {
      world.write(world.at('home', '.gitconfig'), config);
      const files = { 'a.txt': '$Id$ one\r\nl\n', 'sub/b.txt': 'two\r\n', ...attributes };
      const repo = world.repository('repo', files);
      const old = readFileSync(path.join(repo, 'a.txt'), 'latin1');
      assert.equal(old, files['a.txt']);
      const utf16 = Buffer.from('o\u00e9\r\n', 'utf16le');
      const changed = await world.changed(repo, () => {
        world.write(path.join(repo, 'a.txt'), utf16);
        world.write(path.join(repo, 'sub/b.txt'), 'two\n');
        world.write(path.join(repo, 'c.txt'), '$Id: mine $\r\n');
      });
      assert.deepEqual(changed, [
        `a.txt: ${JSON.stringify(old)} -> ${JSON.stringify(utf16.toString('latin1'))}`,
        'c.txt: none -> "$Id: mine $\\r\\n"',
        'sub/b.txt: "two\\r\\n" -> "two\\n"',
      ]);
    });
  }

  it('record the bytes of files that git converted when the rules were others', async () => {
    world.write(world.at('home', '.gitconfig'), '[core]\n\tautocrlf = true\n');
    const repo = world.repository('repo', { 'a.txt': 'one\r\n' });
    world.write(world.at('home', '.gitconfig'), '');
    const changed = await world.changed(repo, () => unlinkSync(path.join(repo, 'a.txt')));
    assert.deepEqual(changed, ['a.txt: "one\\r\\n" -> none']);
  });

  it('see files that git was told not to look at', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    world.git(repo, 'update-index', '--assume-unchanged', 'a.txt');
    const changed = await world.changed(repo, () => world.write(path.join(repo, 'a.txt'), 'two!'));
    assert.deepEqual(changed, ['a.txt: "one" -> "two!"']);
  });

  it('say that contents are elsewhere for files of Git LFS, and record those of other filters', async () => {
    const attributes = '*.psd filter=lfs diff=lfs merge=lfs -text\n*.nb filter=strip\n';
    const repo = world.repository('repo', { '.gitattributes': attributes });
    world.write(path.join(repo, 'a.psd'), 'large '.repeat(1000));
    world.write(path.join(repo, 'a.nb'), 'one');
    const changed = await world.changed(repo, () => {
      world.write(path.join(repo, 'a.psd'), 'other '.repeat(1000));
      world.write(path.join(repo, 'a.nb'), 'two');
    });
    assert.deepEqual(changed, ['a.nb: "one" -> "two"', 'a.psd: filtered -> filtered']);
  });

  it('SEC-71: never run what a hostile repository asks for', async () => {
    const evil = `touch ${world.at('evil')}; cat`;
    const config = `[core]
	fsmonitor = ${evil}
	hooksPath = .
	pager = ${evil}
	editor = ${evil}
	sshCommand = ${evil}
[filter "lfs"]
	clean = ${evil}
	smudge = ${evil}
	process = ${evil}
[filter "evil"]
	clean = ${evil}
	required = true
[diff]
	external = ${evil}
[diff "evil"]
	textconv = ${evil}
	command = ${evil}
[alias]
	add = "!${evil}"
	write-tree = "!${evil}"
[include]
	path = ${world.at('included')}
`.replaceAll(evil, JSON.stringify(evil));
    const repo = world.repository('repo', { 'a.txt': 'one', 'b.x': 'one' });
    const inner = world.repository('repo/inner', { 'c.txt': 'one' });
    for (const folder of [repo, inner]) {
      writeFileSync(path.join(folder, '.git/config'), config);
      for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman']) {
        world.write(path.join(folder, '.git/hooks', hook), `#!/bin/sh\n${evil}\n`, 0o755);
        world.write(path.join(folder, hook), `#!/bin/sh\n${evil}\n`, 0o755);
      }
      world.write(path.join(folder, '.gitattributes'), '* filter=evil diff=evil\n*.x filter=lfs\n');
    }
    const checkpoints = world.checkpoints();
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      const changed = await world.changed(
        repo,
        () => {
          for (const name of ['a.txt', 'b.x', 'inner/c.txt']) {
            world.write(path.join(repo, name), to);
          }
        },
        checkpoints,
      );
      assert.deepEqual(changed, [
        `a.txt: "${from}" -> "${to}"`,
        'b.x: filtered -> filtered',
        `inner/c.txt: "${from}" -> "${to}"`,
      ]);
    }
    assert.ok(!existsSync(world.at('evil')));
    // Git itself would have run it.
    world.git(repo, 'status');
    assert.ok(existsSync(world.at('evil')));
  });

  it('SEC-71: never run what a hostile repository asks for that appears during a turn', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    const checkpoints = world.checkpoints();
    await world.take(checkpoints, repo);
    const inner = world.repository('repo/inner', { 'c.txt': 'one' });
    world.git(inner, 'config', 'core.fsmonitor', `touch ${world.at('evil')}`);
    for (const text of ['two', 'three']) {
      await world.take(checkpoints, repo);
      world.write(path.join(inner, 'c.txt'), text);
    }
    assert.ok(!existsSync(world.at('evil')));
    world.git(inner, 'status');
    assert.ok(existsSync(world.at('evil')));
  });

  it('record a folder whose repository is configured to be elsewhere, and nothing of elsewhere', async () => {
    const secret = world.repository('secret', { 'key.txt': 'secret' });
    const repo = world.repository('repo', { 'a.txt': 'one' });
    // Each of these makes git itself look at the other repository or work tree.
    world.git(repo, 'config', 'core.worktree', secret);
    writeFileSync(
      path.join(repo, '.git/objects/info/alternates'),
      `${path.join(secret, '.git/objects')}\n`,
    );
    world.git(repo, 'config', 'include.path', path.join(secret, '.git/config'));
    world.git(repo, 'config', 'core.excludesFile', path.join(secret, 'key.txt'));
    const before = fingerprint(secret);
    const changed = await world.changed(repo, () => {
      world.write(path.join(repo, 'a.txt'), 'two');
      world.write(path.join(repo, 'b.txt'), 'new');
    });
    assert.deepEqual(changed, ['a.txt: "one" -> "two"', 'b.txt: none -> "new"']);
    assert.equal(fingerprint(secret), before);
  });

  it('record a folder whose .git file points to another repository, and leave that as it is', async () => {
    const secret = world.repository('secret', { 'key.txt': 'secret', 'a.txt': 'theirs' });
    const repo = world.at('pointing');
    world.write(path.join(repo, '.git'), `gitdir: ${path.join(secret, '.git')}\n`);
    world.write(path.join(repo, 'a.txt'), 'one');
    const before = fingerprint(secret);
    const changed = await world.changed(repo, () => world.write(path.join(repo, 'a.txt'), 'two'));
    // Only files of the folder are read; what git knows of the others is that they aren't here.
    assert.deepEqual(changed, ['a.txt: "one" -> "two"']);
    assert.equal(fingerprint(secret), before);
    assert.ok(existsSync(path.join(secret, 'key.txt')));
  });

  it('never read through links in a hostile repository', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    world.write(world.at('secret.txt'), 'secret');
    unlinkSync(path.join(repo, '.git/index'));
    symlinkSync(world.at('secret.txt'), path.join(repo, '.git/index'));
    symlinkSync(world.folder, path.join(repo, 'around'));
    world.write(path.join(repo, '.git/commondir'), `${world.at('home')}\n`);
    const changed = await world.changed(repo, () => {
      world.write(path.join(repo, 'a.txt'), 'two');
      world.write(world.at('secret.txt'), 'other');
    });
    assert.deepEqual(changed, ['a.txt: "one" -> "two"']);
  });
});
