import assert from 'node:assert/strict';
import path from 'node:path';
import { SessionTerminals } from '../../../../src/model/requests/sessionTerminals';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { idle } from '../fakes';
import { type FakeTerminal, FakeTerminals } from '../fakeTerminals';

const cwd = path.resolve('/project');

describe('terminals of a session', () => {
  const request = { sessionId: 's', command: 'make', args: ['all'], env: { A: 'b' } };
  let fakes: FakeTerminals;
  let terminals: SessionTerminals;
  beforeEach(() => {
    fakes = new FakeTerminals();
    terminals = new SessionTerminals(fakes, cwd);
  });
  afterEach(() => terminals.dispose());

  async function create(): Promise<{ id: string; fake: FakeTerminal }> {
    const id = await terminals.create(request);
    const fake = fakes.all.at(-1);
    assert.ok(fake);
    return { id, fake };
  }

  async function refused(call: () => unknown, code: AcpErrorCode) {
    await assert.rejects(
      async () => {
        await call();
      },
      (error) => error instanceof AcpError && error.code === code,
    );
  }

  it('TE-2: a command starts in the session’s folder unless it names one', async () => {
    await terminals.create({ ...request, outputByteLimit: 9 });
    const other = path.join(cwd, 'sub');
    await terminals.create({ ...request, cwd: other });
    assert.deepEqual(fakes.all[0]?.options, { ...request, cwd, outputByteLimit: 9 });
    assert.equal(fakes.all[1]?.options.cwd, other);
  });

  it('TR-11, TE-2: what can’t be started as it is asked for is refused', async () => {
    const bad = [
      { command: '' },
      { command: ' ' },
      { command: 'a\0b' },
      { args: ['\0'] },
      { env: { 'A=B': 'c' } },
      { env: { '': 'c' } },
      { env: { A: '\0' } },
      { cwd: 'relative' },
      { cwd: '' },
    ];
    for (const part of bad) {
      await refused(() => terminals.create({ ...request, ...part }), 'invalidParams');
    }
    assert.equal(fakes.all.length, 0);
  });

  it('TE-2: every terminal has its own id, which can’t be guessed', async () => {
    const ids = [(await create()).id, (await create()).id];
    assert.equal(new Set(ids).size, 2);
    assert.ok(ids.every((id) => id.length >= 32));
  });

  it('TE-4: output is returned without waiting, with the exit status if there is one', async () => {
    const { id, fake } = await create();
    fake.print('hello');
    assert.deepEqual(terminals.output(id), { output: 'hello', truncated: false });
    fake.end(3);
    assert.deepEqual(terminals.output(id).exitStatus, { exitCode: 3, signal: null });
  });

  it('TE-5: every caller that waits for the end gets it, late ones too', async () => {
    const { id, fake } = await create();
    const waiting = [terminals.waitForExit(id), terminals.waitForExit(id)];
    fake.end(null, 'SIGKILL');
    const exit = { exitCode: null, signal: 'SIGKILL' };
    assert.deepEqual(await Promise.all(waiting), [exit, exit]);
    assert.deepEqual(await terminals.waitForExit(id, new AbortController().signal), exit);
  });

  it('TE-5: a wait that is given up leaves the command alone', async () => {
    const { id, fake } = await create();
    const controller = new AbortController();
    const waiting = terminals.waitForExit(id, controller.signal);
    controller.abort();
    await refused(() => waiting, 'cancelled');
    await refused(() => terminals.waitForExit(id, controller.signal), 'cancelled');
    assert.equal(fake.kills, 0);
  });

  it('TE-5: of twice as many waits as are taken the later ones are refused, the others end', async () => {
    const { id, fake } = await create();
    const waits = Array.from({ length: 512 }, () => terminals.waitForExit(id));
    const settled = Promise.allSettled(waits);
    await refused(() => waits[256], 'invalidParams');
    fake.end(0);
    const ends = await settled;
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 256);
    assert.equal(ends[255]?.status, 'fulfilled');
  });

  it('TE-5: waits that are given up make room for others', async () => {
    const { id, fake } = await create();
    for (let count = 0; count < 1000; count++) {
      const controller = new AbortController();
      const waiting = terminals.waitForExit(id, controller.signal);
      controller.abort();
      await refused(() => waiting, 'cancelled');
    }
    const waiting = terminals.waitForExit(id);
    fake.end(0);
    assert.deepEqual(await waiting, { exitCode: 0, signal: null });
  });

  it('TE-6: after a kill the id is still valid, after a release it isn’t', async () => {
    const { id, fake } = await create();
    fake.print('working');
    await terminals.kill(id);
    assert.equal(terminals.output(id).output, 'working');
    assert.deepEqual(await terminals.waitForExit(id), { exitCode: null, signal: 'SIGTERM' });
    await terminals.release(id);
    await refused(() => terminals.output(id), 'gone');
    await refused(() => terminals.waitForExit(id), 'gone');
    await refused(() => terminals.kill(id), 'gone');
    await refused(() => terminals.release(id), 'gone');
  });

  it('TE-6: a release ends what still runs', async () => {
    const { id, fake } = await create();
    await terminals.release(id);
    assert.equal(fake.kills, 1);
  });

  it('TE-7: what a released terminal has written is still there to be shown', async () => {
    const { id, fake } = await create();
    fake.print('built');
    fake.end(0);
    await terminals.release(id);
    const shown = terminals.get(id);
    assert.equal(shown, fake, 'what shows it need not look for it anew');
    assert.deepEqual(shown.output, {
      output: 'built',
      truncated: false,
      exitStatus: { exitCode: 0, signal: null },
    });
    assert.deepEqual(await shown.exited, { exitCode: 0, signal: null });
  });

  it('TE-7: of very much output the terminals that were released last are kept', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { id, fake } = await create();
      fake.print('x'.repeat(5_000_000));
      await terminals.release(id);
      ids.push(id);
    }
    assert.deepEqual(
      ids.map((id) => terminals.get(id) !== undefined),
      [false, false, true, true, true],
    );
  });

  it('TE-7: the shown output says that its beginning is missing', async () => {
    const { id, fake } = await create();
    fake.print('end');
    assert.equal(terminals.shown(id)?.output, 'end');
    fake.truncated = true;
    assert.equal(terminals.shown(id)?.output, '… earlier output was discarded\nend');
    assert.equal(terminals.shown('other'), undefined);
  });

  it('TE-9: a terminal that isn’t ours, as in a replay, isn’t there', async () => {
    const other = new SessionTerminals(fakes, cwd);
    const id = await other.create(request);
    assert.equal(terminals.get('term-1'), undefined);
    assert.equal(terminals.get(id), undefined);
    await refused(() => terminals.output(id), 'gone');
    await refused(() => terminals.kill(id), 'gone');
    other.dispose();
  });

  it('TE-9: much output is told of in few events, each with the terminal’s id', async () => {
    const { id, fake } = await create();
    const { fake: silent } = await create();
    const heard: string[] = [];
    const told = new Promise<void>((resolve) => {
      terminals.onDidChange((changed) => {
        heard.push(changed);
        resolve();
      });
    });
    for (let count = 0; count < 10_000; count++) {
      fake.print('x');
    }
    await told;
    assert.deepEqual(heard, [id]);
    assert.equal(silent.output.output, '');
  });

  it('TE-8: closing ends everything, including terminals that are about to start', async () => {
    const { id, fake } = await create();
    fake.print('kept');
    const start = deferred<undefined>();
    fakes.ready = start.promise;
    const starting = terminals.create(request);
    const closed = terminals.closeAll();
    const refusal = refused(() => starting, 'cancelled');
    start.resolve(undefined);
    await closed;
    assert.ok(fakes.all.every(({ kills }) => kills > 0));
    assert.equal(fakes.all.length, 2);
    assert.equal(terminals.get(id)?.output.output, 'kept');
    await refusal;
    await create();
  });

  it('TE-8: what ends only after the session has gone is not kept', async () => {
    const { id, fake } = await create();
    const killed = deferred<undefined>();
    fake.kill = () => killed.promise;
    const released = terminals.release(id);
    terminals.dispose();
    await idle();
    killed.resolve(undefined);
    await released;
    assert.equal(terminals.get(id), undefined);
  });

  it('TE-8: a request that the agent has taken back leaves nothing running', async () => {
    const controller = new AbortController();
    controller.abort();
    await refused(() => terminals.create(request, controller.signal), 'cancelled');
    assert.equal(fakes.all[0]?.kills, 1);
  });

  it('TE-8: an agent that releases nothing comes to an end', async () => {
    const ids = await Promise.all(Array.from({ length: 64 }, () => terminals.create(request)));
    await refused(() => terminals.create(request), 'invalidParams');
    await terminals.release(ids[0] ?? '');
    await terminals.create(request);
  });
});
