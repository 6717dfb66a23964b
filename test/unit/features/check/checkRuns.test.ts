import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CheckRun, CheckRuns } from '../../../../src/features/check/model/checkRuns';
import { fixDraft } from '../../../../src/features/check/model/failedOutput';
import { readFolderState } from '../../../../src/features/check/model/folderState';
import { type KeptCheck, readKeptCheck } from '../../../../src/features/check/model/keptCheck';
import type { Terminals } from '../../../../src/model/ports';
import { ChildTerminals } from '../../../../src/platform/terminals/terminals';
import { posixOnly } from '../../../support/posixOnly';
import { isRunning, pidIn } from '../../../support/processes';
import { until } from '../../../support/until';

const log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
};
const one = { agentId: 'a', sessionId: '1' };
const two = { agentId: 'a', sessionId: '2' };

describe('checks of sessions', function () {
  this.timeout(30_000);
  let folder: string;
  let runs: CheckRuns;
  let kept: Map<string, KeptCheck>;

  /** The checks of a window; results go through JSON, as in VS Code's state. */
  function openWindow(
    terminals: Pick<Terminals, 'create'> = new ChildTerminals({
      workspace: { trusted: true },
      loginEnvironment: () => Promise.resolve(undefined),
      graceMs: 300,
    }),
  ): CheckRuns {
    return new CheckRuns({
      ...{ terminals, log, shellFor: () => Promise.resolve('/bin/sh') },
      kept: {
        get: (key) => kept.get(key),
        set: (key, check) => {
          const read = check && readKeptCheck(JSON.parse(JSON.stringify(check)));
          if (read === undefined) {
            kept.delete(key);
          } else {
            kept.set(key, read);
          }
        },
      },
      readFolder: (cwd) => readFolderState('git', cwd),
    });
  }

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-check-')));
    kept = new Map();
    runs = openWindow();
  });
  afterEach(async () => {
    await runs.end();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const order = (command: string, limitMs = 60_000) => ({ command, cwd: folder, limitMs });
  const state = ({ agentId, sessionId } = one) => runs.of(agentId, sessionId)?.state;

  posixOnly('passes by its exit code, in the folder of the session', async () => {
    const seen: (string | undefined)[] = [];
    runs.onDidChange(() => seen.push(state()));
    await runs.run(one, order('test "$PWD" = "$(pwd -P)" && touch ran'));
    assert.deepEqual([...new Set(seen)], ['running', 'passed']);
    assert.ok(fs.existsSync(path.join(folder, 'ran')));
    await runs.run(one, order('exit 3'));
    assert.equal(state(), 'failed');
    assert.equal(runs.of('a', '1')?.reason, 'It ended with code 3.');
  });

  posixOnly('a later one takes the place of one that runs, of the same session only', async () => {
    const pid = path.join(folder, 'pid');
    const first = runs.run(one, order(`echo $$ > ${pid}; sleep 600`));
    const other = runs.run(two, order('sleep 600'));
    await until(() => fs.existsSync(pid) && fs.readFileSync(pid, 'utf8').endsWith('\n'));
    await runs.run(one, order('true'));
    await first;
    assert.equal(state(), 'passed');
    assert.ok(!isRunning(pidIn(pid)), 'the first has ended');
    assert.equal(state(two), 'running');
    runs.stop(two);
    await other;
    assert.equal(state(two), 'stopped', 'a check that the user has stopped hasn’t failed');
  });

  posixOnly(
    'are known in the next window, and are old if a file has changed meanwhile',
    async () => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
          cwd: folder,
        });
      git('init', '-q');
      fs.writeFileSync(path.join(folder, 'new.txt'), 'new');
      git('commit', '-q', '--allow-empty', '-m', 'First');
      const reopened = async (): Promise<CheckRun | undefined> => {
        await runs.end();
        runs = openWindow();
        await until(() => runs.of('a', '1') !== undefined);
        return runs.of('a', '1');
      };
      await runs.run(one, order('echo no; exit 3'));
      const first = runs.of('a', '1');
      const failed = await reopened();
      assert.deepEqual(
        [failed?.state, failed?.isStale, failed?.reason, failed?.began, failed?.order.command],
        ['failed', false, 'It ended with code 3.', first?.began, 'echo no; exit 3'],
      );
      assert.match(String(failed?.folder?.commit), /^[\da-f]{40}$/);
      assert.match(JSON.stringify(failed && fixDraft(failed)), /its output was not kept/);
      await runs.compare(one);
      assert.equal(runs.of('a', '1')?.isStale, false);
      fs.writeFileSync(path.join(folder, 'new.txt'), 'newer');
      await runs.compare(one);
      assert.equal(runs.of('a', '1')?.isStale, true);
      await runs.run(one, order('true'));
      assert.equal((await reopened())?.isStale, false);
      git('add', '-A');
      git('commit', '-q', '-m', 'Second');
      assert.equal((await reopened())?.isStale, true, 'another commit');
      const running = runs.run(one, order('sleep 600'));
      assert.equal(kept.size, 0, 'what runs makes what was no longer true');
      runs.stop(one);
      await running;
      await runs.run(one, order('true'));
      runs.forget(one);
      assert.equal(kept.size, 0);
    },
  );

  it('SEC-363: a kept result is read only if it is whole and of bounded length', () => {
    const folderState = { commit: 'a'.repeat(40), mark: 'b'.repeat(64) };
    const whole = { command: 'x', cwd: '/', began: 1, state: 'passed', isStale: false };
    assert.deepEqual(readKeptCheck({ ...whole, folder: folderState, more: 1 }), {
      ...whole,
      folder: folderState,
    });
    assert.deepEqual(readKeptCheck({ ...whole, folder: { commit: 'HEAD', mark: 1 } }), whole);
    for (const wrong of [{ state: 'running' }, { began: '1' }, { command: 'x'.repeat(16_000) }]) {
      assert.equal(readKeptCheck({ ...whole, ...wrong }), undefined);
    }
  });

  posixOnly('SEC-311: ends at its time limit, and says so', async () => {
    await runs.run(one, order('sleep 600', 1));
    assert.equal(state(), 'failed');
    assert.match(runs.of('a', '1')?.reason ?? '', /ran longer than/);
  });

  posixOnly('says why it couldn’t be started', async () => {
    await runs.run(one, { ...order('true'), cwd: path.join(folder, 'gone') });
    assert.equal(state(), 'failed');
    assert.match(runs.of('a', '1')?.reason ?? '', /couldn’t be started/);
  });

  posixOnly(
    'SEC-311: the prompt to fix it has the last lines, cut visibly, without secrets',
    async () => {
      const line = 'echo "$i is too much for anyone to read, and goes on and on"';
      await runs.run(
        one,
        order(
          `i=0; while [ $i -lt 12000 ]; do i=$((i+1)); ${line}; done; echo "password=hunter2hunter2"; exit 1`,
        ),
      );
      const run = runs.of('a', '1');
      assert.ok(run);
      const [attachment] = fixDraft(run).attachments;
      assert.ok(attachment?.type === 'text');
      assert.match(attachment.text, /\[… only the end of the output\]/);
      assert.match(attachment.text, /12000 is too much/);
      assert.match(attachment.text, /It ended with code 1\./);
      assert.ok(attachment.text.split('\n').length < 210, attachment.text);
      assert.ok(!attachment.text.includes('hunter2hunter2'));
    },
  );

  it('SEC-311: the output of 50 checks is kept', async () => {
    const disposed: number[] = [];
    let made = 0;
    const create = () => {
      const number = made++;
      return Promise.resolve({
        exited: Promise.resolve({ exitCode: 0, signal: null }),
        kill: () => Promise.resolve(),
        dispose: () => disposed.push(number),
      } as never);
    };
    runs = openWindow({ create });
    for (let count = 0; count < 100; count += 1) {
      await runs.run({ agentId: 'a', sessionId: `${count}` }, order('exit 0'));
    }
    assert.equal(runs.all.length, 50);
    assert.equal(disposed.length, 50);
    assert.equal(state({ agentId: 'a', sessionId: '99' }), 'passed');
  });
});
