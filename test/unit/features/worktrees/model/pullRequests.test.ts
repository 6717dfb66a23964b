import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { Base } from '../../../../../src/features/worktrees/model/base';
import { readBranchState } from '../../../../../src/features/worktrees/model/branchState';
import { readChangedLines } from '../../../../../src/features/worktrees/model/lineCounts';
import { addWorktree } from '../../../../../src/features/worktrees/model/newWorktree';
import {
  findPullRequest,
  findSources,
  getTrustedBase,
  readPullRequest,
} from '../../../../../src/features/worktrees/model/pullRequests';
import { readSources } from '../../../../../src/features/worktrees/model/remotes';
import {
  readLosses,
  removeWorktree,
} from '../../../../../src/features/worktrees/model/removeWorktree';
import { commitHooks, readRunByGit } from '../../../../../src/features/worktrees/model/runByGit';
import { readChanges } from '../../../../../src/features/worktrees/model/worktreeChanges';
import { findRepository, type Repository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { posixOnly } from '../../../../support/posixOnly';
import { until } from '../../../../support/until';
import { problemOf, WorktreeWorld } from './worktreeWorld';

describe('a pull request as the base of a worktree', () => {
  let world: WorktreeWorld;
  let project: string;
  /** What somebody else has written. */
  let theirs: string;
  /** The remote, at an address that only this repository's configuration leads to a folder. */
  let bare: string;
  let head: string;

  beforeEach(() => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n' });
    theirs = world.at('theirs');
    bare = world.at('bare');
    world.git(world.folder, 'clone', '-q', project, theirs);
    for (const name of ['post-checkout', 'reference-transaction', 'pre-commit']) {
      const script = `#!/bin/sh\ntouch ${world.at(`ran-${name}`)}\n`;
      world.write(path.join(theirs, '.hooks', name), script, 0o755);
    }
    head = world.commit(theirs, { 'b.txt': 'b\n' });
    world.git(world.folder, 'clone', '-q', '--bare', project, bare);
    world.git(
      theirs,
      'push',
      '-q',
      bare,
      'HEAD:refs/pull/7/head',
      'HEAD:refs/heads/refs/pull/9/head',
    );
    world.git(project, 'remote', 'add', 'origin', 'https://example.org/team/app.git');
    world.git(project, 'config', `url.${bare}.insteadOf`, 'https://example.org/team/app.git');
    world.git(project, 'config', 'core.hooksPath', '.hooks');
  });
  afterEach(() => world.close());

  async function find(text: string, git = world.model): Promise<Base> {
    const named = readPullRequest(text);
    assert.ok(named, text);
    const { number, sources } = findSources(named, await readSources(git, { top: project }));
    const [source] = sources;
    assert.ok(source);
    return findPullRequest(git.in(project), source, number);
  }

  async function add(branch: string, text = '7'): Promise<Repository> {
    const place = await findRepository(
      await world.add(project, branch, await find(text)),
      realPath,
    );
    assert.ok(place);
    return place;
  }

  const refs = (folder = project): string =>
    world.git(folder, 'for-each-ref', '--format=%(refname)').trim();
  const ran = (): string[] => readdirSync(world.folder).filter((name) => name.startsWith('ran-'));

  it('is named by its number, or by its address at a remote of the repository', async () => {
    const none = { number: '7', at: undefined };
    for (const text of ['7', ' #7 ', '!7']) {
      assert.deepEqual(readPullRequest(text), none);
    }
    for (const text of [
      'https://example.org/team/app/pull/7',
      'https://example.org/Team/App/pulls/7/files?w=1#top',
      'https://example.org/team/app/-/merge_requests/7',
    ]) {
      assert.equal((await find(text)).commit, head, text);
    }
    for (const text of ['', '0', '07', '-7', '7;x', '--upload-pack=x', '7 8', '1'.repeat(11)]) {
      assert.equal(readPullRequest(text), undefined, text);
    }
    for (const text of [
      'http://example.org/team/app/pull/7',
      'file:///team/app/pull/7',
      'https://example.org/team/app/pull/x',
      'https://example.org/pull/7',
      `https://example.org/${'a/'.repeat(100_000)}pull/7`,
    ]) {
      assert.equal(readPullRequest(text), undefined, text.slice(0, 80));
    }
  });

  it('is refused of another host or repository, and where Git can’t fetch it', async () => {
    for (const text of [
      'https://example.com/team/app/pull/7',
      'https://example.org/team/other/pull/7',
      'https://example.org/team/app/x/pull/7',
      'https://example.org.evil.com/team/app/pull/7',
    ]) {
      assert.equal(await problemOf(find(text)), 'otherRepository', text);
    }
    assert.equal(await problemOf(find('8')), 'noPullRequest');
    assert.equal(await problemOf(find('9')), 'noPullRequest', 'a branch of such a name is none');
    world.git(project, 'remote', 'set-url', 'origin', 'https://me:secret@bitbucket.org/team/app');
    await assert.rejects(find('7'), /Git can’t fetch pull requests from bitbucket\.org/);
    world.git(project, 'remote', 'remove', 'origin');
    assert.equal(await problemOf(find('7')), 'otherRepository');
    assert.equal(refs(), 'refs/heads/main');
  });

  it('can be a merge request, which a remote of GitLab is asked for first', async () => {
    world.git(theirs, 'commit', '-q', '--allow-empty', '-m', 'Merge');
    world.git(theirs, 'push', '-q', bare, 'HEAD:refs/merge-requests/7/head');
    assert.equal((await find('7')).commit, head);
    const address = 'https://gitlab.example.org/team/app.git';
    world.git(project, 'remote', 'set-url', 'origin', address);
    world.git(project, 'config', '--add', `url.${bare}.insteadOf`, address);
    const merge = world.git(theirs, 'rev-parse', 'HEAD').trim();
    assert.equal((await find('7')).commit, merge);
    const { top } = await add('merge');
    assert.equal((await readBranchState(world.model, { top })).base, 'Merge request !7');
  });

  posixOnly('SEC-362: begins there without running its hooks, in a ref of our own', async () => {
    const { top } = await add('mine');
    assert.ok(existsSync(path.join(top, 'b.txt')));
    assert.deepEqual(ran(), []);
    assert.equal(refs(), 'refs/acp-sessions/pull/origin/7\nrefs/heads/main\nrefs/heads/mine');
    const noted = world.git(top, 'symbolic-ref', 'refs/worktree/acp-sessions/base').trim();
    assert.equal(noted, 'refs/acp-sessions/pull/origin/7');
    const fresh = { branch: 'mine', base: 'Pull request #7', ahead: 0, behind: 0, uncommitted: 0 };
    assert.deepEqual(await readBranchState(world.model, { top }), { ...fresh, isMerged: false });
    // What is there now, not what was there when it was chosen.
    const before = await find('7');
    world.git(theirs, 'commit', '-q', '--allow-empty', '-m', 'Later');
    world.git(theirs, 'push', '-q', bare, '+HEAD:refs/pull/7/head');
    await world.add(project, 'later', before);
    assert.equal((await readBranchState(world.model, { top })).behind, 1);
  });

  posixOnly('SEC-362: isn’t trusted: its hooks aren’t those of the main worktree', async () => {
    const place = await add('mine');
    const runs = async () =>
      readRunByGit(world.model, place, await getTrustedBase(world.model, place), {
        names: commitHooks,
        realPath,
      });
    const { hooks, changed } = await runs();
    assert.deepEqual(hooks, ['pre-commit', 'reference-transaction']);
    assert.ok(changed.includes('.hooks/pre-commit'));
    assert.deepEqual(ran(), []);
    world.git(project, '-c', 'core.hooksPath=/dev/null', 'merge', '-q', '--ff-only', head);
    assert.deepEqual((await runs()).changed, [], 'the user has merged them');
  });

  posixOnly('SEC-362: runs none of its hooks when somebody looks at its changes', async () => {
    const script = `#!/bin/sh\ntouch ${world.at('ran-post-index-change')}\n`;
    world.write(path.join(theirs, '.hooks', 'post-index-change'), script, 0o755);
    head = world.commit(theirs, { 'c.txt': 'c\n' });
    world.git(theirs, 'push', '-q', bare, '+HEAD:refs/pull/7/head');
    const place = await add('mine');
    const touch = (): void => utimesSync(path.join(place.top, 'c.txt'), 1, 1);
    touch();
    assert.deepEqual((await readChanges(world.model, place, head)).changes, []);
    touch();
    const base = await getTrustedBase(world.model, place);
    await readRunByGit(world.model, place, base, { names: commitHooks, realPath });
    touch();
    await readChangedLines(world.model, place);
    assert.deepEqual(ran(), []);
  });

  it('is of the address that is fetched, if a remote has several', async () => {
    const other = 'https://example.org/other/app.git';
    world.git(project, 'remote', 'set-url', '--add', 'origin', other);
    assert.equal(await problemOf(find('https://example.org/other/app/pull/7')), 'otherRepository');
    assert.equal((await find('https://example.org/team/app/pull/7')).commit, head);
  });

  posixOnly('keeps its ref if another worktree that had it is removed meanwhile', async () => {
    const base = await find('7');
    const forgetful = world.program(
      'forgetful',
      'git "$@" || exit; case "$*" in *"worktree add"*) git update-ref -d refs/acp-sessions/pull/origin/7;; esac',
    );
    const folder = world.at('kept');
    const wanted = { branch: 'kept', folder, base };
    await addWorktree(world.runner({ program: forgetful }), await world.facts(project), wanted);
    assert.equal((await readBranchState(world.model, { top: folder })).base, 'Pull request #7');
    assert.equal(world.git(project, 'rev-parse', 'refs/acp-sessions/pull/origin/7').trim(), head);
  });

  it('leaves no ref behind: once no worktree begins there, or if none could be made', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const remove = async (place: Repository): Promise<void> =>
      removeWorktree(world.model, place, await readLosses(world.model, place), {
        withBranch: true,
      });
    await remove(one);
    assert.match(refs(), /acp-sessions\/pull\/origin\/7/, 'the other begins there');
    await remove(two);
    assert.equal(refs(), 'refs/heads/main');
    mkdirSync(world.at('trees'), { recursive: true });
    world.git(project, 'branch', 'three');
    assert.equal(await problemOf(add('three')), 'branchExists');
    assert.equal(refs(), 'refs/heads/main\nrefs/heads/three');
  });

  posixOnly('says Git’s own words, can be canceled, and ends after a time', async () => {
    const base = await find('7');
    world.git(project, 'config', `url.${bare}-gone.insteadOf`, 'https://example.org/team');
    world.git(project, 'config', '--unset', `url.${bare}.insteadOf`);
    for (const failing of [find('7'), world.add(project, 'gone', base)]) {
      await assert.rejects(failing, (error: Error) => {
        assert.match(
          error.message,
          /It says: git (?:ls-remote|fetch): .*does not (?:appear|exist)/,
        );
        assert.doesNotMatch(error.message, /core\.|-c /);
        return true;
      });
    }
    const slow = world.program(
      'slow',
      'case "$*" in *ls-remote*|*fetch*) touch "$0.begun"; sleep 600;; *) exec git "$@";; esac',
    );
    const limits = { readMs: 1_000, workMs: 1_000 };
    assert.equal(await problemOf(find('7', world.runner({ program: slow, limits }))), 'timeout');
    const abort = new AbortController();
    const canceled = problemOf(find('7', world.runner({ program: slow, signal: abort.signal })));
    await until(() => existsSync(`${slow}.begun`));
    abort.abort();
    assert.equal(await canceled, 'cancelled');
    assert.equal(refs(), 'refs/heads/main');
  });
});
