import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { folderId } from '../../../../../../src/features/review/model/checkpoints/gitCheckpoints';
import {
  finishIndex,
  ownIndex,
} from '../../../../../../src/features/review/model/checkpoints/privateIndex';
import { posixOnly } from '../../../../../support/posixOnly';
import { isRunning, pidIn } from '../../../../../support/processes';
import { until } from '../../../../../support/until';
import { makePipe } from '../../../../model/files/hostileFiles';
import { GitWorld } from './gitWorld';

describe('checkpoints of folders without git', () => {
  let world: GitWorld;
  beforeEach(() => {
    world = new GitWorld();
  });
  afterEach(() => world.close());

  it('tell what changed, without packages and caches, and with its .gitignore files', async () => {
    const folder = world.at('folder');
    world.write(path.join(folder, 'a.txt'), 'one\r\n');
    world.write(path.join(folder, '.gitignore'), 'skip\n');
    const changed = await world.changed(folder, () => {
      for (const name of [
        'a.txt',
        'skip',
        'node_modules/x/i.js',
        'p/.venv/x',
        'p/__pycache__/x.pyc',
      ]) {
        world.write(path.join(folder, name), 'two');
      }
    });
    assert.deepEqual(changed, ['a.txt: "one\\r\\n" -> "two"']);
    assert.ok(!existsSync(path.join(folder, '.git')));
  });

  const small = { files: 10, bytes: 1000 };
  const many = (folder: string, count: number, bytes: number) => {
    for (let index = 0; index < count; index++) {
      world.write(path.join(folder, `${index}`), Buffer.alloc(bytes, index));
    }
  };

  it('say that there are too many files or bytes, and begin when there are fewer', async () => {
    const checkpoints = world.checkpoints({ limits: { plain: small } });
    const folder = world.at('folder');
    many(folder, 20, 1);
    assert.equal(await checkpoints.take([folder]), 'tooManyFiles');
    rmSync(folder, { recursive: true });
    many(folder, 5, 400);
    assert.equal(await checkpoints.take([folder]), 'tooManyBytes');
    rmSync(folder, { recursive: true });
    many(folder, 10, 100);
    await world.take(checkpoints, folder);
  });

  it('say so when files are added or grow later, and copy none of them', async () => {
    const checkpoints = world.checkpoints({ limits: { plain: small } });
    const folder = world.at('folder');
    many(folder, 5, 100);
    await world.take(checkpoints, folder);
    world.write(path.join(folder, 'new'), Buffer.alloc(1000));
    assert.equal(await checkpoints.take([folder]), 'tooManyBytes');
    unlinkSync(path.join(folder, 'new'));
    await world.take(checkpoints, folder);
    world.write(path.join(folder, '1'), Buffer.alloc(2000));
    assert.equal(await checkpoints.take([folder]), 'tooManyBytes');
    unlinkSync(path.join(folder, '1'));
    many(path.join(folder, 'more'), 20, 1);
    assert.equal(await checkpoints.take([folder]), 'tooManyFiles');
  });

  it('begin with limits where git has nothing yet, too', async () => {
    const checkpoints = world.checkpoints({ limits: { repository: small } });
    const repo = world.repository('repo', { 'a.txt': 'x'.repeat(5000) });
    await world.take(checkpoints, repo);
    const other = world.repository('other', { '.gitattributes': '* text\n', a: 'x'.repeat(2000) });
    assert.equal(await checkpoints.take([other]), 'tooManyBytes');
    many(world.repository('third'), 20, 1);
    assert.equal(await checkpoints.take([world.at('third')]), 'tooManyFiles');
  });

  it('record the repositories inside by themselves, a bounded number of them', async () => {
    const folder = world.at('folder');
    for (let index = 0; index < 64; index++) {
      const inner = path.join(folder, `${index}`);
      mkdirSync(path.join(inner, '.git', 'objects'), { recursive: true });
      mkdirSync(path.join(inner, '.git', 'refs'));
      writeFileSync(path.join(inner, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    }
    const checkpoints = world.checkpoints();
    await world.take(checkpoints, folder);
    assert.ok(world.warnings.some((warning) => warning.includes('More than 32 repositories')));
    assert.ok(readdirSync(world.storage).length <= 33);
  });

  it('leave out our own storage', async () => {
    const folder = world.at('folder');
    mkdirSync(folder);
    const checkpoints = world.checkpoints({ storage: path.join(folder, 'my [storage]') });
    assert.deepEqual(await world.changed(folder, () => undefined, checkpoints), []);
  });

  it('don’t begin with a drive or the home folder', async () => {
    const checkpoints = world.checkpoints();
    assert.equal(await checkpoints.take([path.parse(world.folder).root]), 'tooManyFiles');
    assert.equal(await checkpoints.take([world.at('home')]), 'tooManyFiles');
  });
});

describe('stores of checkpoints', () => {
  let world: GitWorld;
  let repo: string;
  beforeEach(() => {
    world = new GitWorld();
    repo = world.repository('repo', { 'a.txt': 'one' });
  });
  afterEach(() => world.close());

  const store = (): string => path.join(world.storage, folderId(repo), 'git');
  const indexes = (): string[] => readdirSync(store()).filter((name) => name.startsWith('index.'));

  it('say why there are none', async () => {
    assert.equal(await world.checkpoints({ hindrance: () => 'off' }).take([repo]), 'off');
    assert.equal(
      await world.checkpoints({ hindrance: () => 'untrusted' }).take([repo]),
      'untrusted',
    );
    const none = world.checkpoints({ git: () => Promise.resolve(undefined) });
    assert.equal(await none.take([repo]), 'noGit');
    const missing = world.checkpoints({ git: () => Promise.resolve(world.at('no', 'git')) });
    assert.equal(await missing.take([repo]), 'noGit');
    assert.equal(await world.checkpoints().take([world.at('nowhere')]), 'failed');
  });

  it('are found again by the next window, which begins where the last one was', async () => {
    const first = world.checkpoints();
    await world.take(first, repo);
    await first.close();
    const [left] = indexes();
    assert.match(left!, /^index\.0\./);
    const second = world.checkpoints();
    const changed = await world.changed(
      repo,
      () => world.write(path.join(repo, 'a.txt'), 'two'),
      second,
    );
    assert.deepEqual(changed, ['a.txt: "one" -> "two"']);
    assert.equal(indexes().length, 1);
  });

  it('serve two windows at once', async () => {
    const [first, second] = [world.checkpoints(), world.checkpoints()];
    const [a, b] = await Promise.all([world.take(first, repo), world.take(second, repo)]);
    world.write(path.join(repo, 'a.txt'), 'two');
    assert.deepEqual(
      await Promise.all([world.since(first, a, repo), world.since(second, b, repo)]),
      [['a.txt: "one" -> "two"'], ['a.txt: "one" -> "two"']],
    );
    assert.equal(indexes().length, 2);
  });

  it('don’t begin with an index that another window isn’t done with', async () => {
    await world.take(world.checkpoints(), repo);
    const whole = readFileSync(path.join(store(), indexes()[0]!));
    rmSync(path.join(store(), indexes()[0]!));
    const first = await ownIndex(store(), 'sha1');
    // The repository's own entries, of which some must not be trusted.
    writeFileSync(first.file, whole);
    assert.equal((await ownIndex(store(), 'sha1')).isNew, true);
    await finishIndex(first.file);
    assert.equal((await ownIndex(store(), 'sha1')).isNew, false);
  });

  it('take one checkpoint after the other', async () => {
    const checkpoints = world.checkpoints();
    const all = await Promise.all(Array.from({ length: 5 }, () => checkpoints.take([repo])));
    assert.ok(
      all.every((taken) => typeof taken !== 'string'),
      world.warnings.join(),
    );
  });

  it('remove indexes and locks of windows that are gone', async () => {
    await world.take(world.checkpoints(), repo);
    const gone = 2 ** 22 + 1;
    writeFileSync(path.join(store(), `index.${gone}.00000000`), 'nonsense');
    writeFileSync(path.join(store(), `index.${gone}.00000001.lock`), '');
    await world.take(world.checkpoints(), repo);
    assert.ok(!indexes().some((name) => name.includes(`${gone}`)));
  });

  it('aren’t held up by a lock that was left behind', async () => {
    const checkpoints = world.checkpoints();
    const before = await world.take(checkpoints, repo);
    writeFileSync(path.join(store(), `${indexes()[0]}.lock`), '');
    world.write(path.join(repo, 'a.txt'), 'two');
    assert.deepEqual(await world.since(checkpoints, before, repo), ['a.txt: "one" -> "two"']);
  });

  const damages: Readonly<Record<string, () => void>> = {
    'no configuration': () => unlinkSync(path.join(store(), 'HEAD')),
    'no objects': () => rmSync(path.join(store(), 'objects'), { recursive: true }),
    'a damaged index': () => truncateSync(path.join(store(), indexes()[0]!), 40),
    'nothing at all': () => rmSync(store(), { recursive: true }),
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`begin anew when they are damaged: ${name}`, async () => {
      const checkpoints = world.checkpoints();
      const before = await world.take(checkpoints, repo);
      world.write(path.join(repo, 'a.txt'), 'two');
      damage();
      const meanwhile = await checkpoints.take([repo]);
      if (typeof meanwhile !== 'string') {
        // Nothing that it needed was gone.
        await checkpoints.changes(before, meanwhile, world.blobs).catch(() => undefined);
      }
      const changed = await world.changed(
        repo,
        () => world.write(path.join(repo, 'a.txt'), 'three'),
        checkpoints,
      );
      assert.deepEqual(changed, ['a.txt: "two" -> "three"']);
      await checkpoints.close();
      const again = await world.changed(repo, () => world.write(path.join(repo, 'a.txt'), 'x'));
      assert.deepEqual(again, ['a.txt: "three" -> "x"']);
    });
  }

  it('say that contents are lost when the repository has removed them, and keep them from then on', async () => {
    world.write(path.join(repo, 'b.txt'), 'staged only');
    // Older than the index, so that git needn't read it again.
    utimesSync(path.join(repo, 'b.txt'), 1, 1);
    world.git(repo, 'add', 'b.txt');
    const checkpoints = world.checkpoints();
    const before = await world.take(checkpoints, repo);
    world.git(repo, 'rm', '-q', '--cached', 'b.txt');
    world.git(repo, 'gc', '-q', '--prune=now');
    world.write(path.join(repo, 'b.txt'), 'two');
    assert.deepEqual(await world.since(checkpoints, before, repo), ['b.txt: unreadable -> "two"']);
    const changed = await world.changed(
      repo,
      () => world.write(path.join(repo, 'b.txt'), 'three'),
      checkpoints,
    );
    assert.deepEqual(changed, ['b.txt: "two" -> "three"']);
  });

  describe('that are prepared', () => {
    /** Tells each start of git in `starts`, by its first argument. */
    const told = (more = ''): string => {
      const git = world.at('git');
      const script = `#!/bin/sh\necho "$1" >> ${world.at('starts')}\n${more}\nexec git "$@"\n`;
      world.write(git, script, 0o755);
      return git;
    };
    const starts = (): string[] => readFileSync(world.at('starts'), 'utf8').trim().split('\n');

    posixOnly('need no further git if nothing changes, with or without a repository', async () => {
      const checkpoints = world.checkpoints({ git: () => Promise.resolve(told()) });
      const folder = world.at('folder');
      world.write(path.join(folder, 'a.txt'), 'one');
      const before = await world.prepare(checkpoints, repo, folder);
      await until(() => starts().slice(-2).join() === 'add,add' && starts().length > 2);
      const known = starts();
      const after = await world.take(checkpoints, repo, folder);
      assert.deepEqual(starts(), known);
      assert.deepEqual(await checkpoints.changes(before, after, world.blobs), []);
    });

    it('see what changes until they are taken, however often they were prepared', async () => {
      const checkpoints = world.checkpoints();
      const folder = world.at('folder');
      world.write(path.join(folder, 'a.txt'), 'one');
      for (const at of [repo, folder]) {
        let before = await world.prepare(checkpoints, at);
        for (const [from, to] of [
          ['one', 'two'],
          ['two', 'six'],
        ] as const) {
          world.write(path.join(at, 'a.txt'), to);
          const after = await world.prepare(checkpoints, at);
          const changes = await checkpoints.changes(before, after, world.blobs);
          assert.deepEqual(await world.describe(at, changes), [`a.txt: "${from}" -> "${to}"`]);
          before = after;
        }
      }
    });

    posixOnly('are taken as others by a git that can’t wait', async () => {
      const old = 'case "$*" in *pathspec-from-file*) exit 129; esac';
      const checkpoints = world.checkpoints({ git: () => Promise.resolve(told(old)) });
      const before = await world.prepare(checkpoints, repo);
      assert.deepEqual(await world.since(checkpoints, before, repo), []);
      world.write(path.join(repo, 'a.txt'), 'two');
      assert.deepEqual(await world.since(checkpoints, before, repo), ['a.txt: "one" -> "two"']);
    });

    posixOnly('leave no process to wait for longer than git may take', async () => {
      const waits = `case "$*" in *pathspec-from-file*) echo $$ > ${world.at('pid')}; esac`;
      const git = (): Promise<string> => Promise.resolve(told(waits));
      const checkpoints = world.checkpoints({ git, limits: { laterMs: 2000 } });
      const before = await world.prepare(checkpoints, repo);
      await until(() => existsSync(world.at('pid')) && !isRunning(pidIn(world.at('pid'))));
      world.write(path.join(repo, 'a.txt'), 'two');
      assert.deepEqual(await world.since(checkpoints, before, repo), ['a.txt: "one" -> "two"']);
    });
  });

  posixOnly('give up on a program that hangs, and leave no process', async () => {
    const git = world.at('git');
    const script = `#!/bin/sh\nif [ -e ${world.at('hang')} ]; then echo $$ > ${world.at('pid')}; sleep 600; fi\nexec git "$@"\n`;
    world.write(git, script, 0o755);
    const limits = { firstMs: 2000, laterMs: 2000 };
    const checkpoints = world.checkpoints({ git: () => Promise.resolve(git), limits });
    const before = await world.take(checkpoints, repo);
    world.write(world.at('hang'), '');
    assert.equal(await checkpoints.take([repo]), 'failed');
    assert.ok(!isRunning(pidIn(world.at('pid'))));
    rmSync(world.at('hang'));
    world.write(path.join(repo, 'a.txt'), 'two');
    assert.deepEqual(await world.since(checkpoints, before, repo), ['a.txt: "one" -> "two"']);
  });

  posixOnly('don’t try again soon when it takes too long to begin', async () => {
    const git = world.at('git');
    // The configuration is read within a limit of its own.
    world.write(
      git,
      `#!/bin/sh
[ "$1" = config ] && exec git "$@"
echo run >> ${world.at('runs')}
exec sleep 600
`,
      0o755,
    );
    const checkpoints = world.checkpoints({
      git: () => Promise.resolve(git),
      limits: { firstMs: 1000 },
    });
    assert.equal(await checkpoints.take([repo]), 'failed');
    const runs = readFileSync(world.at('runs'), 'utf8');
    assert.equal(await checkpoints.take([repo]), 'failed');
    assert.equal(readFileSync(world.at('runs'), 'utf8'), runs);
  });

  posixOnly('end what runs when the window closes', async () => {
    const git = world.at('git');
    world.write(git, `#!/bin/sh\necho $$ > ${world.at('pid')}\nexec sleep 600\n`, 0o755);
    const checkpoints = world.checkpoints({ git: () => Promise.resolve(git) });
    const taking = checkpoints.take([repo]);
    await until(() => existsSync(world.at('pid')) && readFileSync(world.at('pid')).length > 1);
    await checkpoints.close();
    assert.equal(await taking, 'failed');
    assert.ok(!isRunning(pidIn(world.at('pid'))));
  });

  posixOnly('don’t wait forever for a .gitignore that is a pipe', async () => {
    makePipe(path.join(repo, '.gitignore'));
    const checkpoints = world.checkpoints({ limits: { firstMs: 500, laterMs: 500 } });
    const taken = await checkpoints.take([repo]);
    assert.ok(taken === 'failed' || typeof taken !== 'string');
  });
});
