import assert from 'node:assert/strict';
import { lasting } from '../../../../../src/features/editorTools/model/lastingCalls';
import { type EditorTool, ToolRefusal } from '../../../../../src/features/editorTools/model/tool';
import { type Deferred, deferred } from '../../../../../src/util/async';
import { servedSession } from '../../../../support/servedSession';

interface Begun {
  readonly args: object;
  readonly answer: Deferred<string>;
  readonly signal: AbortSignal;
}

function asking(waitMs: number) {
  const begun: Begun[] = [];
  const tool: EditorTool = {
    name: 'ask',
    description: 'Asks.',
    properties: {},
    run: (args, _session, signal) => {
      const answer = deferred<string>();
      begun.push({ args, answer, signal });
      return answer.promise;
    },
  };
  const made = lasting(tool, waitMs);
  const run: EditorTool['run'] = (...call) => made.run(...call);
  return { begun, run };
}

const ignored = (run: Promise<unknown>): void => void run.catch(() => undefined);
const forever = 60_000;

describe('calls that wait for the user', () => {
  let ending: AbortController;
  beforeEach(() => {
    ending = new AbortController();
  });
  afterEach(() => ending.abort());

  it('SEC-221: an equal call goes on waiting for the same answer, which is then told once', async () => {
    const { begun, run } = asking(1);
    const one = servedSession();
    assert.match(await run({ a: 1 }, one, ending.signal), /^Still waiting/);
    assert.match(await run({ a: 1 }, one, ending.signal), /^Still waiting/);
    assert.equal(begun.length, 1);
    begun[0]?.answer.resolve('yes');
    assert.equal(await run({ a: 1 }, one, ending.signal), 'yes');
    ignored(run({ a: 1 }, one, ending.signal));
    ignored(run({ a: 2 }, one, ending.signal));
    ignored(run({ a: 1 }, servedSession(), ending.signal));
    assert.deepEqual(
      begun.map(({ args }) => args),
      [{ a: 1 }, { a: 1 }, { a: 2 }, { a: 1 }],
    );
  });

  it('SEC-221: what fails is told as such, and can be tried again', async () => {
    const { begun, run } = asking(forever);
    const one = servedSession();
    const running = run({}, one, ending.signal);
    begun[0]?.answer.reject(new ToolRefusal('No.'));
    await assert.rejects(running, /No\./);
    ignored(run({}, one, ending.signal));
    assert.equal(begun.length, 2);
  });

  it('SEC-221: a call that the agent cancels takes the question back, unless another waits for it', async () => {
    const { begun, run } = asking(forever);
    const one = servedSession();
    const [first, second] = [new AbortController(), new AbortController()];
    const both = Promise.allSettled([run({}, one, first.signal), run({}, one, second.signal)]);
    first.abort();
    await new Promise(setImmediate);
    assert.equal(begun[0]?.signal.aborted, false);
    second.abort();
    await both;
    assert.ok(begun.every(({ signal }) => signal.aborted));
    ignored(run({}, one, ending.signal));
    assert.equal(begun.length, 2);
  });

  it('SEC-221: of one session, 20 wait; twice as many are refused', async () => {
    const { begun, run } = asking(1);
    const one = servedSession();
    const all = Array.from({ length: 40 }, (_, at) => run({ at }, one, ending.signal));
    const settled = await Promise.allSettled(all);
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 20);
    assert.equal(begun.length, 20);
  });
});
