import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CheckRuns } from '../../../../src/features/check/model/checkRuns';
import { fixDraft } from '../../../../src/features/check/model/failedOutput';
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

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-check-')));
    const terminals = new ChildTerminals({
      workspace: { trusted: true },
      loginEnvironment: () => Promise.resolve(undefined),
      graceMs: 300,
    });
    runs = new CheckRuns({ terminals, shellFor: () => Promise.resolve('/bin/sh'), log });
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
    const shellFor = () => Promise.resolve('/bin/sh');
    runs = new CheckRuns({ terminals: { create }, shellFor, log });
    for (let count = 0; count < 100; count += 1) {
      await runs.run({ agentId: 'a', sessionId: `${count}` }, order('exit 0'));
    }
    assert.equal(runs.all.length, 50);
    assert.equal(disposed.length, 50);
    assert.equal(state({ agentId: 'a', sessionId: '99' }), 'passed');
  });
});
