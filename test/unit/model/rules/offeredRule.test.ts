import assert from 'node:assert/strict';
import path from 'node:path';
import {
  at,
  cwd,
  edit,
  noEnv,
  noPush,
  offeredFor,
  outside,
  shell,
  useProject,
} from './ruledProject';

describe('a rule that is offered with a request', () => {
  useProject();

  const status = { command: ['git', 'status', '--short'] };

  it('PE-5, SEC-20: has exactly the words of the one command, where they are certain', async () => {
    assert.deepEqual(await offeredFor(shell({ command: 'git status --short' })), status);
    const wrapped = { command: ['bash', '-lc', 'git status --short'] };
    assert.deepEqual(await offeredFor(shell(wrapped)), status);
    const twice = { command: 'git status --short', commands: ['git status --short'] };
    assert.deepEqual(await offeredFor(shell(twice)), status);
    for (const command of [
      'git status && ls',
      'git log > x',
      'git $X',
      'cat *.ts',
      ['git', 'sta\u202Etus'],
      ['git', 'a b'],
      'git', // Every git command would be allowed.
      'sudo git status',
      'env A=1 git status',
      'A=1 git status',
      'bash script.sh x',
      `git log ${'x'.repeat(200)}`,
      ...['npx -y', 'npx eslint', 'docker exec web', 'kubectl exec pod --', 'uv run', 'python -c'],
      ...['node -e', 'perl -e', 'git -c', 'git -c core.pager=sh log', 'pkexec x', 'tcsh -c'],
      ...['/lib64/ld-linux-x86-64.so.2 x', 'bwrap x', 'gtimeout 5', 'pnpm dlx', 'npm exec'],
      'git st\u115Fatus',
    ]) {
      assert.equal(await offeredFor(shell({ command })), undefined, String(command));
    }
    const two = { command: 'git status', commands: ['git status', 'git push'] };
    assert.equal(await offeredFor(shell(two)), undefined);
    const variables = { command: 'git status', env: { GIT_PAGER: 'x' } };
    assert.equal(await offeredFor(shell(variables)), undefined);
    const elsewhere = { command: 'git status', cwd: outside };
    assert.equal(await offeredFor(shell(elsewhere)), undefined);
    assert.equal(await offeredFor({ title: 'git status', kind: 'execute' }), undefined, 'a title');
    assert.equal(
      await offeredFor({ ...shell({ command: 'git status' }), kind: 'other' }),
      undefined,
    );
  });

  it('PE-5, SEC-20: names the one file that would be changed, where its links really lead', async () => {
    assert.deepEqual(await offeredFor(edit(at('src/a.ts'))), { path: 'src/a.ts' });
    assert.deepEqual(await offeredFor(edit(at('sources/a.ts'))), { path: 'src/a.ts' });
    for (const files of [
      [at('src/a.ts'), at('src/b.ts')],
      [path.join(outside, 'other/.env')],
      [at('src/linked/.env')],
      [`${cwd}/src/../src/a.ts`],
      ['src/a.ts'],
      [at('src/*.ts')],
      [at('src/a\u202E.ts')],
      [],
    ]) {
      assert.equal(await offeredFor(edit(...files)), undefined, files.join());
    }
    const removal = { ...edit(at('src/a.ts')), kind: 'delete' };
    assert.equal(await offeredFor(removal), undefined, 'only edits');
  });

  it('PE-5, SEC-20: isn’t offered where a rule that rejects may apply, or what was said before differs', async () => {
    const pushing = shell({ command: 'git push origin' });
    assert.equal(await offeredFor(pushing, noPush), undefined);
    assert.equal(await offeredFor(edit(at('src/.env')), noEnv), undefined);
    const status_ = shell({ command: 'git status' });
    assert.deepEqual(await offeredFor(status_, noPush), { command: ['git', 'status'] });
    const before = { locations: [{ path: at('src/b.ts') }] };
    assert.equal(
      await offeredFor({ ...edit(at('src/a.ts')) }, [], shell({ command: 'x y' })),
      undefined,
    );
    assert.notEqual(await offeredFor(edit(at('src/a.ts')), [], before), undefined);
  });
});
