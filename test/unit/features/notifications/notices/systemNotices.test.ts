import assert from 'node:assert/strict';
import fs from 'node:fs';
import { SystemNotices } from '../../../../../src/features/notifications/notices/systemNotices';
import { posixOnly } from '../../../../support/posixOnly';
import { isRunning } from '../../../../support/processes';
import { until } from '../../../../support/until';
import { FakeNotifySend, isOld, waitsForClick } from './fakeNotifySend';

describe('notices of the system', () => {
  const limits = { toShow: 60_000, toWait: 60_000, between: 0 };
  const text = '-t <b>"$(id)"</b>\nC:\\new & more';
  const notice = { title: 'ACP Sessions', text, action: 'Show' };
  const body = '-t &lt;b&gt;"$(id)"&lt;/b&gt; C:\\\\new &amp; more';
  const plain = ['--app-name=ACP Sessions', '--', 'ACP Sessions', body];
  const numbered = ['--print-id', ...plain];
  const waiting = ['--replace-id=7', '--action=default=Show', ...plain];
  let program: FakeNotifySend | undefined;
  let notices: SystemNotices;
  afterEach(async () => {
    notices.dispose();
    await until(() => (program?.runs ?? []).every(({ pid }) => !isRunning(pid)));
    program?.remove();
    program = undefined;
  });

  /** Linux, with a `notify-send` that does this. */
  function make(behavior: string, other: Partial<typeof limits> = {}): FakeNotifySend {
    program = new FakeNotifySend(behavior);
    const environment = { PATH: program.folder };
    notices = new SystemNotices({ platform: 'linux', environment }, { ...limits, ...other });
    return program;
  }

  const argsOf = ({ runs }: FakeNotifySend): readonly (readonly string[])[] =>
    runs.map(({ args }) => args);

  posixOnly('SEC-62: give a program the texts as they are, and learn of a click', async () => {
    const fake = make(waitsForClick);
    const shown = await notices.show('turnEnded', notice);
    fs.writeFileSync(fake.file('click'), '');
    assert.equal(await shown?.clicked, true);
    assert.deepEqual(argsOf(fake), [numbered, waiting]);
  });

  posixOnly('that are closed aren’t clicked', async () => {
    const fake = make(waitsForClick);
    const shown = await notices.show('turnEnded', notice);
    fs.writeFileSync(fake.file('close'), '');
    assert.equal(await shown?.clicked, false);
  });

  posixOnly('do without a click where the program is too old, and remember that', async () => {
    const fake = make(isOld);
    for (const kind of ['turnEnded', 'needsAnswer']) {
      const shown = await notices.show(kind, notice);
      assert.equal(await shown?.clicked, false);
    }
    assert.deepEqual(argsOf(fake), [numbered, plain, plain]);
  });

  posixOnly('do without a click where the system knows none', async () => {
    const fake = make(`echo 7; case "$*" in *--print-id*) ;; *) exit 1;; esac`);
    const shown = await notices.show('turnEnded', notice);
    assert.equal(await shown?.clicked, false);
    assert.deepEqual(argsOf(fake), [numbered, waiting]);
  });

  posixOnly('aren’t given if the program fails, or there is none', async () => {
    const fake = make('echo 0; exit 1');
    assert.equal(await notices.show('failed', notice), undefined);
    assert.deepEqual(argsOf(fake), [numbered, plain]);
    fs.rmSync(fake.file('notify-send'));
    assert.equal(await notices.show('failed', notice), undefined);
    fs.mkdirSync(fake.file('notify-send'));
    assert.equal(await notices.show('failed', notice), undefined);
    assert.equal(fake.runs.length, 2);
  });

  posixOnly('SEC-105: end a program that hangs', async () => {
    const fake = make(`trap '' TERM; exec /bin/sleep 600`, {
      toShow: 500,
    });
    assert.equal(await notices.show('turnEnded', notice), undefined);
    assert.ok(fake.runs.length <= 1, 'another try would hang as well');
    assert.ok(fake.runs.every(({ pid }) => !isRunning(pid)));
  });

  posixOnly('SEC-105: end a program that waits for a click too long', async () => {
    const fake = make(`trap '' TERM; ${waitsForClick}`, { toWait: 500 });
    const shown = await notices.show('turnEnded', notice);
    assert.equal(await shown?.clicked, false);
    assert.ok(fake.runs.every(({ pid }) => !isRunning(pid)));
  });

  posixOnly('SEC-105: have at most one process of each kind', async () => {
    const fake = make(waitsForClick);
    const first = await notices.show('turnEnded', notice);
    await notices.show('needsAnswer', notice);
    await until(() => fake.runs.length === 4);
    const second = notices.show('turnEnded', notice);
    assert.equal(await notices.show('turnEnded', notice), undefined, 'one is being shown');
    await second;
    assert.equal(await first?.clicked, false);
    await until(() => fake.runs.length === 6);
    assert.equal(fake.runs.filter(({ pid }) => isRunning(pid)).length, 2);
  });

  posixOnly('SEC-105: are given at a bounded rate', async () => {
    const fake = make(isOld, { between: 60_000 });
    assert.ok(await notices.show('turnEnded', notice));
    for (const kind of ['needsAnswer', 'failed', 'turnEnded']) {
      assert.equal(await notices.show(kind, notice), undefined);
    }
    assert.equal(fake.runs.length, 2);
  });

  posixOnly('are taken back when the user returns', async () => {
    const fake = make(waitsForClick);
    const shown = await notices.show('turnEnded', notice);
    await until(() => fake.runs.length === 2);
    notices.withdraw();
    assert.equal(await shown?.clicked, false);
    assert.ok(fs.existsSync(fake.file('withdrawn')));
  });
});
