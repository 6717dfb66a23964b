import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { FolderOfBlobs } from '../../../../../../src/features/review/model/checkpoints/folderOfBlobs';
import { posixOnly } from '../../../../../support/posixOnly';
import { until } from '../../../../../support/until';
import { makePipe } from '../../../../model/files/hostileFiles';
import { fingerprint, GitWorld } from './gitWorld';

describe('checkpoints of a repository', () => {
  let world: GitWorld;
  beforeEach(() => {
    world = new GitWorld();
  });
  afterEach(() => world.close());

  it('tell what was changed, added, deleted and moved, with the exact contents', async () => {
    const text = 'a line that is long enough\n'.repeat(20);
    world.blobs = new FolderOfBlobs(world.at('blobs'));
    const repo = world.repository('repo', { 'a.txt': 'one\n', 'b.txt': 'two', 'c/d.txt': text });
    const changed = await world.changed(repo, () => {
      world.write(path.join(repo, 'a.txt'), 'One\r\n');
      world.write(path.join(repo, 'new.bin'), Buffer.from([0, 255, 13]));
      unlinkSync(path.join(repo, 'b.txt'));
      renameSync(path.join(repo, 'c/d.txt'), path.join(repo, 'e.txt'));
    });
    assert.deepEqual(changed, [
      'a.txt: "one\\n" -> "One\\r\\n"',
      'b.txt: "two" -> none',
      `c/d.txt => e.txt: ${JSON.stringify(text)} -> ${JSON.stringify(text)}`,
      'new.bin: none -> "\\u0000ÿ\\r"',
    ]);
  });

  it('SEC-71: leave the repository as it is, to the byte and the time of its index', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one', '.gitattributes': '* text=auto' });
    world.write(path.join(repo, 'staged.txt'), 'staged');
    world.git(repo, 'add', 'staged.txt');
    world.write(path.join(repo, 'untracked.txt'), 'untracked');
    utimesSync(path.join(repo, 'a.txt'), 1, 1);
    const before = fingerprint(path.join(repo, '.git'));
    const changed = await world.changed(repo, () => world.write(path.join(repo, 'a.txt'), 'two'));
    assert.deepEqual(changed, ['a.txt: "one" -> "two"']);
    assert.equal(fingerprint(path.join(repo, '.git')), before);
  });

  it('see changes of a file that has the same size and time as before', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    const checkpoints = world.checkpoints();
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'six'],
      ['six', 'ten'],
    ] as const) {
      const changed = await world.changed(
        repo,
        () => world.write(path.join(repo, 'a.txt'), to),
        checkpoints,
      );
      assert.deepEqual(changed, [`a.txt: "${from}" -> "${to}"`]);
    }
  });

  it('see a file that was changed within the second of the repository’s index', async () => {
    const secondOf = (file: string) => Math.floor(statSync(file).ctimeMs / 1000);
    let repo = '';
    for (let attempt = 0, isSame = false; !isSame; attempt++) {
      repo = world.repository(`repo${attempt}`, { 'a.txt': 'one' });
      const file = path.join(repo, 'a.txt');
      const before = secondOf(file);
      world.write(file, 'two');
      isSame = secondOf(file) === before;
    }
    const second = secondOf(path.join(repo, '.git/index'));
    await until(() => Date.now() / 1000 > second + 1);
    const changed = await world.changed(repo, () => unlinkSync(path.join(repo, 'a.txt')));
    assert.deepEqual(changed, ['a.txt: "two" -> none']);
  });

  it('tell nothing when nothing changed, or was only touched', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    assert.deepEqual(await world.changed(repo, () => undefined), []);
    assert.deepEqual(
      await world.changed(repo, () => utimesSync(path.join(repo, 'a.txt'), 1, 1)),
      [],
    );
  });

  it('leave out what git ignores, by each of its files, but not what it tracks nevertheless', async () => {
    const repo = world.repository('repo', { '.gitignore': '*.log\nout/\n', 'out/kept.js': 'old' });
    world.git(repo, 'add', '-f', 'out/kept.js');
    world.git(repo, 'commit', '-qm', 'Tracked');
    writeFileSync(path.join(repo, '.git/info/exclude'), 'excluded\n');
    world.write(world.at('home', 'my ignore'), 'mine\n');
    world.write(world.at('home', '.gitconfig'), '[core]\n\texcludesFile = ~/my ignore\n');
    const changed = await world.changed(repo, () => {
      for (const name of [
        'a.log',
        'out/b.js',
        'excluded',
        'mine',
        'sub/mine',
        'seen',
        'out/kept.js',
      ]) {
        world.write(path.join(repo, name), 'new');
      }
    });
    assert.deepEqual(changed, ['out/kept.js: "old" -> "new"', 'seen: none -> "new"']);
  });

  it('follow rules of info/exclude that are written later', async () => {
    const repo = world.repository('repo');
    const checkpoints = world.checkpoints();
    const before = await world.take(checkpoints, repo);
    writeFileSync(path.join(repo, '.git/info/exclude'), 'later\n');
    world.write(path.join(repo, 'later'), 'x');
    assert.deepEqual(await world.since(checkpoints, before, repo), []);
  });

  posixOnly('record executable bits and links, and follow none', async () => {
    const repo = world.repository('repo', { 'run.sh': '#!/bin/sh\n', 'a.txt': 'one' });
    world.write(world.at('outside', 'secret'), 'secret');
    symlinkSync(world.at('outside'), path.join(repo, 'folder'));
    symlinkSync('a.txt', path.join(repo, 'link'));
    const changed = await world.changed(repo, () => {
      chmodSync(path.join(repo, 'run.sh'), 0o755);
      unlinkSync(path.join(repo, 'link'));
      symlinkSync('b.txt', path.join(repo, 'link'));
      world.write(world.at('outside', 'secret'), 'changed');
      unlinkSync(path.join(repo, 'a.txt'));
      symlinkSync('run.sh', path.join(repo, 'a.txt'));
    });
    assert.deepEqual(changed, [
      'a.txt: "one" -> link"run.sh"',
      'link: link"a.txt" -> link"b.txt"',
      'run.sh: "#!/bin/sh\\n" -> x"#!/bin/sh\\n"',
    ]);
  });

  posixOnly(
    'record names with every odd character; names that aren’t UTF-8 are left out',
    async () => {
      const names = [
        '-rf',
        ':(top)x',
        '"q"',
        'new\nline',
        'tab\t',
        ' space ',
        'a\\b',
        'é',
        'git~1',
        '*',
      ];
      const repo = world.repository('repo', {});
      const changed = await world.changed(repo, () => {
        names.forEach((name) => world.write(path.join(repo, name), 'x'));
        writeFileSync(Buffer.concat([Buffer.from(`${repo}/`), Buffer.from([0xff, 0xfe])]), 'x');
      });
      assert.deepEqual(changed, names.map((name) => `${name}: none -> "x"`).sort());
    },
  );

  posixOnly('pass over pipes and files that can’t be read', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    const changed = await world.changed(repo, () => {
      makePipe(path.join(repo, 'pipe'));
      unlinkSync(path.join(repo, 'a.txt'));
      makePipe(path.join(repo, 'a.txt'));
      world.write(path.join(repo, 'locked'), 'x', 0);
      world.write(path.join(repo, 'b.txt'), 'two');
    });
    assert.ok(changed.includes('b.txt: none -> "two"'), changed.join());
  });

  it('record the work tree in the middle of a conflict', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one\n' });
    world.git(repo, 'checkout', '-qb', 'other');
    world.write(path.join(repo, 'a.txt'), 'two\n');
    world.git(repo, 'commit', '-qam', 'Two');
    world.git(repo, 'checkout', '-q', 'main');
    world.write(path.join(repo, 'a.txt'), 'six\n');
    world.git(repo, 'commit', '-qam', 'Six');
    assert.throws(() => world.git(repo, 'rebase', 'other'));
    const conflict = readFileSync(path.join(repo, 'a.txt'), 'utf8');
    const before = fingerprint(path.join(repo, '.git'));
    const changed = await world.changed(repo, () => world.write(path.join(repo, 'a.txt'), 'ten\n'));
    assert.deepEqual(changed, [`a.txt: ${JSON.stringify(conflict)} -> "ten\\n"`]);
    assert.equal(fingerprint(path.join(repo, '.git')), before);
  });

  it('record repositories without a commit, empty ones and those of SHA-256', async () => {
    for (const format of ['sha1', 'sha256']) {
      const repo = world.at(format);
      mkdirSync(repo);
      world.git(repo, 'init', '-q', `--object-format=${format}`);
      const changed = await world.changed(repo, () => world.write(path.join(repo, 'a'), 'one'));
      assert.deepEqual(changed, ['a: none -> "one"']);
      world.git(repo, 'add', '-A');
      const more = await world.changed(repo, () => unlinkSync(path.join(repo, 'a')));
      assert.deepEqual(more, ['a: "one" -> none']);
    }
  });

  it('record a sparse checkout, with files written where there are none', async () => {
    const repo = world.repository('repo', { 'in/a.txt': 'one', 'out/b.txt': 'two' });
    world.git(repo, 'sparse-checkout', 'set', 'in');
    assert.deepEqual(readdirSync(repo), ['.git', 'in']);
    const changed = await world.changed(repo, () => {
      world.write(path.join(repo, 'in/a.txt'), 'One');
      world.write(path.join(repo, 'out/c.txt'), 'new');
    });
    assert.deepEqual(changed, ['in/a.txt: "one" -> "One"', 'out/c.txt: none -> "new"']);
  });

  it('record indexes that are split, sparse, compressed or damaged', async () => {
    const repo = world.repository('repo', { 'in/a.txt': 'one', 'out/b.txt': 'two' });
    const prepare: readonly (() => void)[] = [
      () => world.git(repo, 'update-index', '--split-index'),
      () => world.git(repo, 'update-index', '--no-split-index', '--index-version', '4'),
      () => world.git(repo, 'update-index', '--untracked-cache'),
      () => world.git(repo, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in'),
      () => writeFileSync(path.join(repo, '.git/index'), 'DIRC nonsense'),
      () => unlinkSync(path.join(repo, '.git/index')),
    ];
    for (const [index, damage] of prepare.entries()) {
      damage();
      const text = `text ${index}`;
      const old = readFileSync(path.join(repo, 'in/a.txt'), 'utf8');
      rmSync(world.storage, { recursive: true, force: true });
      const changed = await world.changed(repo, () =>
        world.write(path.join(repo, 'in/a.txt'), text),
      );
      assert.deepEqual(changed, [`in/a.txt: "${old}" -> "${text}"`]);
    }
  });

  it('record linked worktrees, and only the given folder of a repository', async () => {
    const repo = world.repository('repo', { 'a/x.txt': 'one', 'b/x.txt': 'one' });
    world.git(repo, 'worktree', 'add', '-q', world.at('linked'));
    const linked = world.at('linked');
    const before = fingerprint(path.join(repo, '.git'));
    const write = (root: string) => () => {
      world.write(path.join(root, 'a/x.txt'), 'two');
      world.write(path.join(root, 'b/x.txt'), 'two');
    };
    assert.deepEqual(await world.changed(linked, write(linked)), [
      'a/x.txt: "one" -> "two"',
      'b/x.txt: "one" -> "two"',
    ]);
    assert.deepEqual(await world.changed(path.join(repo, 'a'), write(repo)), [
      'x.txt: "one" -> "two"',
    ]);
    assert.equal(fingerprint(path.join(repo, '.git')), before);
  });

  it('record folders of a repository that are empty, or that it ignores', async () => {
    const repo = world.repository('repo', { '.gitignore': 'ignored\n' });
    for (const name of ['empty', 'ignored']) {
      mkdirSync(path.join(repo, name));
      const folder = path.join(repo, name);
      const changed = await world.changed(folder, () => world.write(path.join(folder, 'a'), 'one'));
      assert.deepEqual(changed, ['a: none -> "one"']);
    }
  });

  it('record submodules and other repositories inside, each by itself', async () => {
    const source = world.repository('source', { 's.txt': 'one', '.gitignore': 'skip' });
    const repo = world.repository('repo', { 'a.txt': 'one' });
    world.git(repo, 'submodule', '--quiet', 'add', source, 'sub');
    world.git(repo, 'commit', '-qm', 'Submodule');
    world.repository('repo/lib/clone', { 'c.txt': 'one' });
    mkdirSync(path.join(repo, 'bare'));
    world.git(path.join(repo, 'bare'), 'init', '-q');
    const before = [repo, path.join(repo, 'lib/clone')].map((at) =>
      fingerprint(path.join(at, '.git')),
    );
    const changed = await world.changed(repo, () => {
      for (const name of ['a.txt', 'sub/s.txt', 'sub/skip', 'lib/clone/c.txt', 'lib/x', 'bare/y']) {
        world.write(path.join(repo, name), 'two');
      }
    });
    assert.deepEqual(changed, [
      'a.txt: "one" -> "two"',
      'bare/y: none -> "two"',
      'lib/clone/c.txt: "one" -> "two"',
      'lib/x: none -> "two"',
      'sub/s.txt: "one" -> "two"',
    ]);
    assert.deepEqual(
      [repo, path.join(repo, 'lib/clone')].map((at) => fingerprint(path.join(at, '.git'))),
      before,
    );
  });

  it('tell the files of a repository inside that is deleted, and nothing of one that appears', async () => {
    const repo = world.repository('repo', { 'a.txt': 'one' });
    const inner = world.repository('repo/inner', { 'b.txt': 'committed' });
    world.write(path.join(inner, 'c.txt'), 'one');
    // Older than the index, so that only the repository itself has the content.
    utimesSync(path.join(inner, 'b.txt'), 1, 1);
    world.git(inner, 'status');
    const checkpoints = world.checkpoints();
    const work = () => {
      rmSync(inner, { recursive: true });
      world.repository('repo/other', { 'd.txt': 'one' });
    };
    assert.deepEqual(await world.changed(repo, work, checkpoints), [
      'inner/b.txt: unreadable -> none',
      'inner/c.txt: "one" -> none',
    ]);
    const later = () => world.write(path.join(repo, 'other', 'd.txt'), 'two');
    assert.deepEqual(await world.changed(repo, later, checkpoints), [
      'other/d.txt: "one" -> "two"',
    ]);
  });

  it('name files as the folder was named, and each once when folders overlap', async () => {
    const repo = world.repository('repo', { 'a/x.txt': 'one' });
    symlinkSync(repo, world.at('spelled'), 'junction');
    const checkpoints = world.checkpoints();
    const folders = [path.join(world.at('spelled'), 'a'), world.at('spelled'), repo];
    const before = await checkpoints.take(folders);
    world.write(path.join(repo, 'a/x.txt'), 'two');
    const after = await checkpoints.take(folders);
    assert.ok(typeof before !== 'string' && typeof after !== 'string');
    const changes = await checkpoints.changes(before, after, world.blobs);
    assert.deepEqual(
      changes.map(({ file }) => file),
      [path.join(world.at('spelled'), 'a', 'x.txt')],
    );
  });

  it('take .git files that lead nowhere for files like any other', async () => {
    const folder = world.at('folder');
    for (const [index, text] of ['gitdir: /dev', 'gitdir: ../../..', 'nonsense', ''].entries()) {
      world.write(path.join(folder, '.git'), text);
      const changed = await world.changed(folder, () =>
        world.write(path.join(folder, `${index}`), 'new'),
      );
      assert.deepEqual(changed, [`${index}: none -> "new"`]);
    }
  });

  it('keep no more of a large file than that it changed', async () => {
    const repo = world.repository('repo', {});
    const checkpoints = world.checkpoints({ limits: { largest: 1000 } });
    const write = () => {
      world.write(path.join(repo, 'large'), Buffer.alloc(2000));
      world.write(path.join(repo, 'small'), Buffer.alloc(1000, 'x'));
    };
    assert.deepEqual(await world.changed(repo, write, checkpoints), [
      'large: none -> tooLarge',
      `small: none -> "${'x'.repeat(1000)}"`,
    ]);
  });

  it('find moved files up to a bound, and all changes beyond it', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 800 }, (_, index) => [`a/${index}`, `content ${index}`]),
    );
    const repo = world.repository('repo', files);
    const changed = await world.changed(repo, () =>
      renameSync(path.join(repo, 'a'), path.join(repo, 'b')),
    );
    assert.equal(changed.length, 800);
    assert.ok(changed.includes('a/7 => b/7: "content 7" -> "content 7"'));
  });
});
