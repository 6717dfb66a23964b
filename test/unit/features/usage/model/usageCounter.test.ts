import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageCounter } from '../../../../../src/features/usage/model/usageCounter';
import { UsageFiles } from '../../../../../src/features/usage/model/usageFiles';
import type { UsageLine } from '../../../../../src/features/usage/model/usageLine';
import { AcpError } from '../../../../../src/protocol/errors';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import type { TurnUsage } from '../../../../../src/shared/transcript/entries';
import { until } from '../../../../support/until';
import { session, silentLog } from '../../../model/fakes';
import {
  draft,
  prompted,
  type SessionBench,
  type SessionsBench,
  sessionBench,
  sessionsBench,
} from '../../../model/sessionBench';
import { state } from '../../../model/updates';

const cost = (amount: number, currency = 'USD'): SessionUpdate => ({
  ...{ sessionUpdate: 'usage_update', used: 1, size: 2 },
  cost: { amount, currency },
});
const used: TurnUsage = { total: 15, input: 10, output: 5, thought: 2, cachedRead: 3 };

describe('what turns use', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-usage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A window that counts. */
  function counting({ sessions }: Pick<SessionsBench, 'sessions'>) {
    const files = new UsageFiles(folder, silentLog);
    const counter = new UsageCounter({ sessions, files, pauseMs: 0 });
    const lines = async (): Promise<readonly UsageLine[]> => {
      await counter.flush();
      const all: UsageLine[] = [];
      for await (const month of files.months()) {
        all.push(...month);
      }
      return all;
    };
    const spent = async (): Promise<number> =>
      (await lines()).reduce((sum, line) => sum + line.cost, 0);
    return { counter, lines, spent };
  }

  /** A turn in which the agent says these things. */
  async function turn(
    made: SessionBench,
    said: readonly SessionUpdate[],
    usage?: TurnUsage,
  ): Promise<void> {
    const { connection, prompt } = await prompted(made);
    connection.send(made.session.info.sessionId, ...said);
    if (usage !== undefined) {
      prompt.used?.(usage);
    }
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
  }

  /** A new session of an agent. */
  async function begun(id: string): Promise<SessionBench> {
    const made = sessionsBench([id]);
    const agent = made.agents.get(id);
    assert.ok(agent);
    const created = await made.sessions.create(agent, { name: 'w', path: '/work' });
    return Object.assign(made, { agent, session: created });
  }

  it('US-7: are counted with their tokens and time, failed ones too, and what was never sent isn’t', async () => {
    const made = sessionBench();
    const { lines } = counting(made);
    await turn(made, [], used);
    const { prompt } = await prompted(made);
    prompt.reject(new AcpError('rpc', 'x'));
    await until(() => made.session.turns.current.kind === 'idle');
    const all = await lines();
    assert.equal(
      all.reduce((sum, line) => sum + line.turns, 0),
      2,
    );
    const [first] = all;
    assert.ok(first);
    const { agent, folder: cwd, input, output, thought, cachedRead, cachedWrite } = first;
    assert.deepEqual([agent, cwd], ['demo', made.session.info.cwd]);
    assert.deepEqual([input, output, thought, cachedRead, cachedWrite], [10, 5, 2, 3, 0]);
    assert.ok(!JSON.stringify(all).includes('First'), 'no titles');

    const other = sessionBench();
    other.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    const none = counting(other);
    other.session.turns.submit(draft('hello'));
    await until(() => other.session.turns.current.kind === 'idle');
    assert.equal((await none.lines()).length, all.length);
  });

  it('US-7: that an agent of version 2 begins are counted, and a repeated idle is not', async () => {
    const made = sessionBench();
    const { lines } = counting(made);
    await made.session.load();
    const connection = made.connections[0]!;
    for (let times = 0; times < 2; times++) {
      connection.send('s0', state('running'));
      connection.send('s0', state('idle', { usage: used }));
      connection.send('s0', state('idle', { usage: used }));
    }
    const all = await lines();
    assert.equal(
      all.reduce((sum, line) => sum + line.turns, 0),
      2,
    );
    assert.equal(
      all.reduce((sum, line) => sum + line.input, 0),
      20,
    );
  });

  it('US-8, T-94: the cost of a new session is what its total has grown by', async () => {
    const made = await begun('demo');
    const { spent } = counting(made);
    await turn(made, [cost(0.01), cost(0.02), cost(0.02)]);
    await turn(made, [cost(0.02), cost(0.05), cost(0)]);
    assert.ok(Math.abs((await spent()) - 0.05) < 1e-9);
    // Its agent has begun anew.
    await turn(made, [cost(0.01)]);
    assert.ok(Math.abs((await spent()) - 0.06) < 1e-9);
    await turn(made, [cost(7, 'credits')]);
    await turn(made, [cost(9, 'credits')]);
    assert.ok(Math.abs((await spent()) - 2.06) < 1e-9, 'units aren’t subtracted from each other');
  });

  it('US-8, T-94: an earlier cost isn’t counted again: replayed, told by no window, or by an earlier one', async () => {
    const replayed = sessionBench((connection) => {
      connection.replay = () => connection.send('s0', cost(5));
    });
    const first = counting(replayed);
    await turn(replayed, [cost(5), cost(5.5)]);
    assert.equal(await first.spent(), 0.5);

    // After a reload, the agent doesn’t say what it was.
    const reloaded = sessionBench();
    const second = counting(reloaded);
    await turn(reloaded, [cost(6)]);
    assert.equal(await second.spent(), 1);

    const unknown = sessionBench();
    const third = counting(unknown);
    const opened = unknown.sessions.open(unknown.agent, session('seen-elsewhere'));
    Object.assign(unknown, { session: opened });
    await turn(unknown, [cost(3)]);
    assert.equal(await third.spent(), 1, 'nobody knows what of it is new');
    await turn(unknown, [cost(3.25)]);
    assert.equal(await third.spent(), 1.25);
  });

  it('US-8: a cost that comes after the turn is there when the session is closed', async () => {
    const made = await begun('demo');
    const { counter, spent } = counting(made);
    await turn(made, [cost(1)]);
    made.connections[0]!.send(made.session.info.sessionId, cost(1.5));
    await made.session.close();
    await counter.flush();
    assert.equal(await spent(), 1.5);
  });

  it('US-7: of two windows and two agents are all there', async () => {
    const one = await begun('first');
    const other = await begun('second');
    const windows = [counting(one), counting(other)];
    await Promise.all([one, other].map((made) => turn(made, [cost(1)], used)));
    await Promise.all(windows.map(({ counter }) => counter.flush()));
    for (const { lines } of windows) {
      assert.deepEqual((await lines()).map(({ agent }) => agent).sort(), ['first', 'second']);
    }
  });

  it('US-7: turns without end are few lines', async () => {
    const made = sessionBench();
    const files = new UsageFiles(folder, silentLog);
    const counter = new UsageCounter({ ...made, files, pauseMs: 3_600_000 });
    await made.session.load();
    for (let times = 0; times < 2_000; times++) {
      made.connections[0]!.send('s0', state('running'), state('idle', { usage: used }));
    }
    await counter.flush();
    const counts: number[] = [];
    for await (const lines of files.months()) {
      counts.push(...lines.map(({ turns }) => turns));
    }
    assert.ok(counts.length <= 2, `${counts.length} lines`);
    assert.equal(
      counts.reduce((sum, turns) => sum + turns, 0),
      2_000,
    );
    counter.dispose();
  });
});
