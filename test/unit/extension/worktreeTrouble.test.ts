import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { ProgressBench } from '../../vscode/harness/progress';
import { waitFor, workspaceFolder } from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';

describe('what is in the way of a session in a worktree', () => {
  let trees: WorktreeBench;
  /** A bare repository beside, whose `main` has gone on since it was last fetched. */
  let remote: string;
  let there: string;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    const { bench } = trees;
    remote = bench.file('remote.git');
    const other = bench.file('other');
    trees.git('clone', '-q', '--bare', workspaceFolder(), remote);
    trees.git('remote', 'add', 'origin', remote);
    trees.git('fetch', '-q', '--all');
    trees.git('remote', 'set-head', 'origin', 'main');
    trees.git('clone', '-q', remote, other);
    await writeFile(path.join(other, 'later.txt'), 'later\n');
    trees.gitIn(other, 'add', '-A');
    trees.gitIn(other, 'commit', '-q', '-m', 'Later');
    trees.gitIn(other, 'push', '-q');
    there = trees.gitIn(other, 'rev-parse', 'HEAD');
  });
  afterEach(() => trees.dispose());

  const known = (): string => trees.git('rev-parse', 'refs/remotes/origin/main');

  /** Chooses "Fetch First" once, then where the branch begins. */
  function fetchFirst(branch: string, base: string): void {
    let fetched = false;
    trees.dialogs.answer = ({ kind, choices }) => {
      if (kind !== 'pick') {
        return kind === 'input' ? branch : undefined;
      }
      const answer = fetched ? base : 'Fetch First';
      fetched = true;
      return choices.find((choice) => choice === answer);
    };
  }

  it('SEC-132: is fetched first only if the user chooses that, and the branch begins at what is there then', async () => {
    const before = known();
    await trees.created('unasked');
    const [asked] = trees.dialogs.asked.filter(({ kind }) => kind === 'pick');
    assert.deepEqual(asked?.choices, [
      'main',
      'origin/main',
      'Another Branch…',
      'Pull Request…',
      '',
      'Fetch First',
    ]);
    assert.equal(known(), before, 'nothing was fetched');
    fetchFirst('fetched', 'origin/main');
    await trees.begin();
    await trees.sessionOf('fetched');
    assert.equal(known(), there);
    assert.equal(trees.gitIn(trees.treeOf('fetched'), 'rev-parse', 'HEAD'), there);
    assert.deepEqual(trees.dialogs.texts('error'), []);
  });

  it('can be a remote that doesn’t answer: fetching is canceled, and the worktree made without', async () => {
    const calls: net.Socket[] = [];
    const server = net.createServer((call) => {
      // Unread, it would never say that its other end is gone.
      calls.push(call.on('error', () => undefined).resume());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const progress = new ProgressBench();
    try {
      const { port } = server.address() as net.AddressInfo;
      trees.git('remote', 'set-url', 'origin', `git://127.0.0.1:${port}/x`);
      fetchFirst('without', 'main');
      const done = trees.begin();
      const [call] = await waitFor(() => calls.length > 0 && calls, 'the call of the remote');
      const shown = progress.notification;
      assert.equal(shown?.title, 'Fetching…');
      shown.cancel();
      await done;
      await trees.sessionOf('without');
      assert.ok(existsSync(path.join(trees.treeOf('without'), '.git')));
      await waitFor(() => call?.closed, 'the end of git’s connection');
      assert.deepEqual(trees.dialogs.texts('error'), []);
    } finally {
      progress.dispose();
      for (const call of calls) {
        call.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('SEC-132: can be a remote that fails: it says why, and the worktree is made without', async () => {
    await rm(remote, { recursive: true });
    fetchFirst('anyway', 'origin/main');
    await trees.begin();
    await trees.sessionOf('anyway');
    const [said] = trees.dialogs.texts('error');
    assert.match(said ?? '', /^Not everything was fetched, .*remote\.git. does not (appear|exist)/);
    assert.equal(trees.gitIn(trees.treeOf('anyway'), 'rev-parse', 'HEAD'), known());
    const marker = trees.bench.file('ran');
    trees.git('remote', 'set-url', 'origin', `ext::touch ${marker}`);
    fetchFirst('no-command', 'main');
    await trees.begin();
    await trees.sessionOf('no-command');
    assert.match(trees.dialogs.texts('error').at(-1) ?? '', /transport 'ext' not allowed/);
    assert.ok(!existsSync(marker));
  });

  it('SEC-362: can begin at a pull request, which is chosen on the page, and gone with the worktree', async () => {
    const refs = (): string =>
      trees.git('for-each-ref', '--format=%(refname)', 'refs/acp-sessions');
    trees.gitIn(remote, 'update-ref', 'refs/pull/7/head', there.trim());
    const { page, first } = await trees.planned();
    const choose = (number: string): Promise<void> => {
      trees.dialogs.answer = ({ kind, choices }) =>
        kind === 'input' ? number : choices.find((choice) => choice === 'Pull Request…');
      return first.choose('fact', 'base');
    };
    const facts = () => first.choices.facts?.map(({ name, value }) => `${name}: ${value}`);
    await choose('8');
    assert.match(trees.dialogs.texts('error').join(), /The remote has no pull request 8/);
    await choose('https://github.com/o/r/pull/7');
    assert.match(trees.dialogs.texts('error').at(-1) ?? '', /isn’t a pull request of a remote/);
    assert.deepEqual(facts(), ['Branch: named after the prompt', 'Begins at: main']);
    await choose('#7');
    assert.deepEqual(facts()?.at(1), 'Begins at: Pull request #7');
    assert.equal(refs(), '', 'nothing is fetched before it begins');
    page.turns.submit({ text: 'Try it', attachments: [] });
    const { cwd } = (await trees.sessionOf('try-it')).info;
    assert.equal(trees.gitIn(cwd, 'rev-parse', 'HEAD'), there);
    assert.equal(refs(), 'refs/acp-sessions/pull/origin/7\n');
    trees.dialogs.answer = ({ choices }) =>
      choices.find((choice) => /^Remove the Work/.test(choice));
    const session = await trees.sessionOf('try-it');
    await waitFor(() => trees.bench.api.panels.active?.session === session, 'its tab');
    await trees.run('worktree.remove');
    assert.ok(!existsSync(cwd));
    assert.equal(refs(), '');
  });

  it('are locks: a worktree that is locked, or has a command at work, isn’t removed', async () => {
    await trees.created('held');
    const lock = path.join(trees.git('rev-parse', '--git-common-dir').trim(), 'worktrees', 'held');
    const directory = path.resolve(workspaceFolder(), lock);
    await writeFile(path.join(directory, 'index.lock'), '');
    await trees.run('worktree.remove');
    assert.match(trees.dialogs.texts('error').at(-1) ?? '', /Another Git command .*index\.lock/);
    await rm(path.join(directory, 'index.lock'));
    await writeFile(path.join(directory, 'locked'), 'on a stick');
    await trees.run('worktree.remove');
    assert.match(trees.dialogs.texts('error').at(-1) ?? '', /locked this worktree: on a stick/);
    assert.ok(existsSync(trees.treeOf('held')));
    assert.match(trees.git('branch'), /held/);
    assert.ok(trees.bench.api.sessions.all.length > 0, 'its session isn’t closed either');
  });
});
