import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { FollowRemotes } from '../../../../../src/features/remote/model/followRemotes';
import { AcpError } from '../../../../../src/protocol/errors';
import type { Disposable } from '../../../../../src/util/disposable';
import { until } from '../../../../support/until';
import { config, type FakeConnection, idle, session } from '../../../model/fakes';
import { type SessionsBench, sessionsBench } from '../../../model/sessionBench';

const remote = { url: 'wss://h/acp', headers: {}, pathMappings: [] };
const lost = (): AcpError =>
  new AcpError('exited', 'lost', { words: { title: 'The connection to h was lost', detail: '' } });

describe('agents on other machines whose line broke', () => {
  let follow: FollowRemotes | undefined;
  afterEach(() => follow?.dispose());

  function begin(
    pauses: readonly number[],
    watchNetwork?: (changed: () => void) => Disposable,
  ): SessionsBench {
    const made = sessionsBench();
    made.settings.set(config('far', { command: '', remote }), config('near'));
    follow = new FollowRemotes({ ...made, pauses, ...(watchNetwork && { watchNetwork }) });
    return made;
  }

  /** Refuses every connection until `end` is called. */
  function refusing(made: SessionsBench): { attempts: number; end: () => void } {
    const { connect } = made;
    const refused = { attempts: 0, end: () => void (made.connect = connect) };
    made.connect = () => {
      refused.attempts++;
      return Promise.reject(new AcpError('notFound', 'refused'));
    };
    return refused;
  }

  async function opened(made: SessionsBench, id: string, name: string) {
    const agent = made.agents.get(id);
    assert.ok(agent);
    const own = made.sessions.open(agent, session(name));
    await own.load();
    return own;
  }

  const last = ({ connections }: SessionsBench): FakeConnection => {
    const found = connections.at(-1);
    assert.ok(found);
    return found;
  };

  it('HTTP-8: are connected again by themselves, and load once what was open', async () => {
    const made = begin([0]);
    const own = await opened(made, 'far', 's0');
    const before = last(made);
    before.die(lost());
    assert.ok(own.phase.kind === 'failed');
    assert.match(own.phase.failure.title, /was lost/);
    await until(() => own.isLive);
    assert.equal(made.connections.length, 2);
    assert.deepEqual(
      last(made).loads.map(({ sessionId }) => sessionId),
      ['s0'],
    );
  });

  it('are tried until they answer, and at once when the user tries', async () => {
    const made = begin([0, 0, 3_600_000]);
    const own = await opened(made, 'far', 's0');
    const refused = refusing(made);
    last(made).die(lost());
    await until(() => refused.attempts === 2);
    refused.end();
    await own.reload();
    assert.ok(own.isLive);
  });

  it('are tried at once when the network may be back, which is watched only while a line is broken', async () => {
    const watched: (() => void)[] = [];
    const made = begin([0, 0, 3_600_000], (changed) => {
      watched.push(changed);
      return { dispose: () => watched.splice(0) };
    });
    const own = await opened(made, 'far', 's0');
    assert.equal(watched.length, 0);
    const refused = refusing(made);
    last(made).die(lost());
    await until(() => refused.attempts === 2);
    assert.equal(watched.length, 1);
    watched[0]?.();
    await until(() => refused.attempts === 4);
    refused.end();
    watched[0]?.();
    await until(() => own.isLive);
    assert.equal(watched.length, 0);
  });

  it('are tried with longer pauses if the line breaks again soon', async () => {
    const pauses = [1, 3_600_000];
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    try {
      const made = begin(pauses);
      const own = await opened(made, 'far', 's0');
      mock.timers.tick(3_600_000);
      last(made).die(lost());
      mock.timers.tick(1);
      await idle();
      assert.ok(own.isLive);
      last(made).die(lost());
      mock.timers.tick(1);
      await idle();
      assert.equal(made.connections.length, 2);
      mock.timers.tick(3_600_000);
      await idle();
      assert.equal(made.connections.length, 3);
      mock.timers.tick(3_600_000);
      last(made).die(lost());
      mock.timers.tick(1);
      await idle();
      assert.equal(made.connections.length, 4, 'a line that held counts as new');
    } finally {
      mock.timers.reset();
    }
  });

  it('are left to the user when a token is asked for, and so is an agent of this machine', async () => {
    const made = begin([0]);
    const far = await opened(made, 'far', 's0');
    let attempts = 0;
    const dying = last(made);
    const near = await opened(made, 'near', 's1');
    const dyingToo = last(made);
    made.connect = () => {
      attempts++;
      return Promise.reject(new AcpError('authRequired', '401'));
    };
    dying.die(lost());
    await until(() => far.agent.state.kind === 'failed' && attempts === 1);
    dyingToo.die();
    // Long enough for another attempt to have been made, after the pause of 0 ms.
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(attempts, 1);
    assert.equal(near.agent.state.kind, 'failed');
  });

  it('record nothing, and get no MCP servers of this machine', async () => {
    const made = begin([0]);
    made.mcpServers = [{ type: 'stdio', name: 'm', command: '/m', args: [], env: { K: 'secret' } }];
    const agent = made.agents.get('far');
    assert.ok(agent);
    await made.sessions.create(agent, { name: '', path: '/[h]/srv' });
    assert.deepEqual(last(made).places.at(-1)?.mcpServers, []);
  });
});
