import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import {
  type BringLimits,
  type BroughtFiles,
  bringIgnored,
} from '../../../../../src/features/worktrees/model/ignoredFiles';
import { realPath } from '../../../../../src/platform/files/realPath';
import { posixOnly } from '../../../../support/posixOnly';
import { problemOf, WorktreeWorld } from './worktreeWorld';

const ignored = '.env\n*.local\nnode_modules/\nbuild/\nlink\nconfig\n';

describe('the ignored files of a new worktree', () => {
  let world: WorktreeWorld;
  let project: string;
  let tree: string;

  beforeEach(async () => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', '.gitignore': ignored });
    tree = await world.add(project, 'x');
  });
  afterEach(() => world.close());

  const write = (name: string, text = `${name}\n`): void =>
    world.write(path.join(project, name), text);
  const bring = (
    globs: readonly string[] = [],
    limits?: Partial<BringLimits>,
  ): Promise<BroughtFiles> =>
    bringIgnored(world.model, {
      from: project,
      to: tree,
      globs,
      realPath,
      signal: new AbortController().signal,
      limits: { maxFiles: 100, maxFileBytes: 1_000, maxBytes: 10_000, maxMs: 60_000, ...limits },
    });
  const has = (name: string): boolean => existsSync(path.join(tree, name));

  it('come along as .worktreeinclude and VS Code’s globs say, and no others', async () => {
    for (const name of ['.env', 'sub/.env', 'a.local', 'node_modules/m/i.js', 'build/x', 'new']) {
      write(name);
    }
    assert.deepEqual(await bring(), { brought: [], left: [], leftOutPatterns: [] });
    write('.worktreeinclude', '# what a task needs\nnode_modules\n*.local\na.txt\nnew\n');
    const { brought, left } = await bring(['.{env,nothing}', 'build/**']);
    assert.deepEqual([...brought].sort(), ['.env', 'a.local', 'build/x', 'node_modules/m/i.js']);
    assert.deepEqual(left, []);
    assert.equal(readFileSync(path.join(tree, '.env'), 'utf8'), '.env\n');
    assert.ok(!has('sub/.env'), 'a glob without ** is about the top folder, as in VS Code');
    assert.ok(!has('new'), 'it isn’t ignored');
    assert.deepEqual((await bring(['**/.env'])).brought, ['sub/.env']);
  });

  posixOnly(
    'SEC-355: lead out by no link, replace nothing, and keep their permissions',
    async () => {
      world.write(world.at('outside', 'secret'), 'secret\n');
      symlinkSync(world.at('outside', 'secret'), path.join(project, 'link'));
      symlinkSync(world.at('outside'), path.join(project, 'node_modules'));
      symlinkSync(world.at('outside'), path.join(tree, 'config'));
      write('config/new');
      write('.env');
      chmodSync(path.join(project, '.env'), 0o600);
      world.write(path.join(tree, 'a.local'), 'the branch’s\n');
      write('a.local');
      world.repository('project/build', { 'inner.txt': '' });
      const { brought, left } = await bring(['**']);
      assert.deepEqual(brought, ['.env']);
      assert.equal(lstatSync(path.join(tree, '.env')).mode & 0o777, 0o600);
      assert.deepEqual(left.map(({ name, reason }) => `${name} ${reason}`).sort(), [
        'a.local there',
        'build/ notAFile',
        'config/new notAFile',
        'link notAFile',
      ]);
      assert.ok(!existsSync(world.at('outside', 'new')));
      assert.equal(readFileSync(path.join(tree, 'a.local'), 'utf8'), 'the branch’s\n');
      assert.ok(!has('link') && !has('node_modules'));
    },
  );

  it('SEC-356: are bounded, one by one and together, and what was left out is known', async () => {
    write('a.local', 'x'.repeat(2_000));
    for (let number = 0; number < 8; number++) {
      write(`build/${number}`, 'x'.repeat(500));
    }
    const large = await bring(['**'], { maxFiles: 4 });
    assert.equal(large.brought.length, 4);
    const reasons = large.left.map(({ name, reason }) => `${name} ${reason}`);
    assert.ok(reasons.includes('a.local tooLarge'));
    assert.equal(large.left.filter(({ reason }) => reason === 'tooMuch').length, 4);
    const bytes = await bring(['build/**'], { maxBytes: 1_000 });
    assert.equal(bytes.brought.length, 2);
    assert.deepEqual((await bring(['build/**'], { maxMs: -1 })).brought, []);
  });

  it('SEC-356: don’t come along by patterns that are too long, too many or a link', async () => {
    write('.env');
    const long = 'x'.repeat(1_000);
    const wide = '{a,b}'.repeat(10);
    const found = await bring([
      '.env',
      long,
      wide,
      'a\nb',
      ...Array.from({ length: 400 }, () => 'q'),
    ]);
    assert.deepEqual(found.brought, ['.env']);
    assert.equal(found.leftOutPatterns.length, 1 + 1 + 1 + 204);
    write('.worktreeinclude', 'x'.repeat(200_000));
    assert.deepEqual((await bring()).leftOutPatterns, ['.worktreeinclude']);
  });

  it('stop when the user cancels', async () => {
    write('.env');
    const signal = AbortSignal.abort();
    const options = { from: project, to: tree, globs: ['**'], realPath, signal };
    assert.equal(await problemOf(bringIgnored(world.model, options)), 'cancelled');
    assert.ok(!has('.env'));
  });
});
