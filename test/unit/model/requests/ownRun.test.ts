import assert from 'node:assert/strict';
import type { OwnRun } from '../../../../src/model/requests/ownRun';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { folder } from '../fakes';
import { acting, never, refused } from './consentBench';

const what: OwnRun = {
  title: 'Task “test”',
  folder: folder.path,
  line: 'npm test',
  details: { a: 1 },
};

async function running() {
  const bench = await acting();
  let starts = 0;
  let stop = never;
  const start = (signal: AbortSignal): Promise<string> => {
    starts += 1;
    stop = signal;
    return Promise.resolve('ended');
  };
  return {
    ...bench,
    starts: () => starts,
    stop: () => stop,
    go: (asked: OwnRun = what, signal = never) => bench.session.acts.run(asked, start, signal),
  };
}

describe('what a tool runs for an agent', () => {
  it('SEC-224: starts once the user has seen the command, its folder and what else there is', async () => {
    const { go, answer, starts, asked } = await running();
    const done = go();
    await until(() => asked().length === 1);
    assert.equal(starts(), 0);
    const entry = await answer('allow_once');
    assert.equal(await done, 'ended');
    assert.deepEqual(entry.own, { act: 'run', folder: folder.path });
    assert.equal(entry.toolCall.title, 'Task “test”');
    assert.deepEqual(entry.toolCall.rawInput, { a: 1, folder: folder.path, command: 'npm test' });
    const again = go();
    await answer('allow_always');
    await again;
    await go();
    assert.deepEqual([starts(), asked().length], [3, 2]);
  });

  it('SEC-224: nothing starts without a yes, outside the folders, or in an untrusted workspace', async () => {
    const { go, answer, starts, asked, session, made } = await running();
    const done = go();
    await answer('reject_once');
    await assert.rejects(done, refused);
    await assert.rejects(go({ ...what, folder: '/etc' }), AcpError);
    const abort = new AbortController();
    const refusing = assert.rejects(go(what, abort.signal), refused);
    await until(() => session.requests.waiting.length === 1);
    abort.abort();
    await refusing;
    made.workspace.trusted = false;
    await assert.rejects(go(), AcpError);
    assert.deepEqual([starts(), asked().length], [0, 2]);
  });

  it('SEC-280: what runs is told when its call is given up, or the user stops the turn', async () => {
    for (const end of ['call', 'turn'] as const) {
      const { go, answer, stop, session } = await running();
      const abort = new AbortController();
      const done = go(what, abort.signal);
      await answer('allow_once');
      await done;
      assert.ok(!stop().aborted);
      if (end === 'call') {
        abort.abort();
      } else {
        session.turns.cancel();
      }
      assert.ok(stop().aborted, end);
    }
  });

  it('SEC-281: variables are asked about, also by who may run all commands', async () => {
    const { go, answer, asked, starts } = await running();
    const first = go();
    await answer('allow_always');
    await first;
    const variables = [{ NODE_OPTIONS: '--require ./x.js' }, { A_LIBRARY: 'y' }];
    const second = go({ ...what, variables });
    await answer('allow_always');
    await second;
    await go({ ...what, variables });
    assert.deepEqual([starts(), asked().length], [3, 2]);
    const third = go({ ...what, variables: [...variables, { A_LIBRARY: 'z' }] });
    await answer('reject_once');
    await assert.rejects(third, refused);
  });

  it('SEC-224: a rule that allows by a command’s words doesn’t count, one for all commands does, and one that rejects what runs first', async () => {
    const { go, made, answer, starts } = await running();
    made.decide = () => 'allowOne';
    const done = go();
    await answer('allow_once');
    await done;
    made.decide = () => 'allow';
    await go();
    made.decide = (_agent, _kind, ruled) =>
      ruled.type === 'command' && ruled.request.command === 'rm -rf x' ? 'reject' : 'allow';
    await assert.rejects(go({ ...what, before: ['rm -rf x'] }), refused);
    assert.equal(starts(), 2);
  });
});
