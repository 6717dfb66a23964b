import assert from 'node:assert/strict';
import { Branching, type BranchPoint } from '../../../../../src/features/branches/model/branching';
import { SessionMarks } from '../../../../../src/model/marks/marks';
import type { Session } from '../../../../../src/model/session/session';
import type { ForkTarget } from '../../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../../src/protocol/errors';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import type { Draft } from '../../../../../src/shared/transcript/prompt';
import { until } from '../../../../support/until';
import { memento } from '../../../model/fakePlatform';
import { allCapabilities, type FakeConnection, silentLog } from '../../../model/fakes';
import { draft, prompted, sessionBench, texts } from '../../../model/sessionBench';
import { agent, user } from '../../../model/updates';

const history: readonly SessionUpdate[] = [
  user('One', 'u1'),
  agent('Said.', 'a1'),
  user('Two', 'u2'),
  agent('Said again.', 'a2'),
  user('Three', 'u3'),
  agent('Said thrice.', 'a3'),
];

type Cut = (at: string | undefined) => readonly SessionUpdate[];

/** Where agents cut. Claude: after the message, with new ids of prompts. Codex: after its turn. Others: nowhere. */
const cuts: Readonly<Record<'claude' | 'codex' | 'other', Cut>> = {
  claude: (at) => history.slice(0, indexOf(at) + 1),
  codex: (at) => {
    const next = history.findIndex(
      ({ sessionUpdate }, index) => index > indexOf(at) && sessionUpdate === 'user_message_chunk',
    );
    return next === -1 ? history : history.slice(0, next);
  },
  other: () => history,
};

function indexOf(at: string | undefined): number {
  return history.findIndex((update) => 'messageId' in update && update.messageId === at);
}

interface Bench {
  readonly session: Session;
  readonly marks: SessionMarks;
  readonly branching: Branching;
  readonly drafts: Map<string, Draft>;
  readonly made: ReturnType<typeof sessionBench>;
  connection(): FakeConnection;
  point(index: number): BranchPoint;
  branch(point: BranchPoint, text: Draft): Promise<Session>;
}

async function benchOf(cut: Cut, capabilities = allCapabilities): Promise<Bench> {
  const cutOf = new Map<string, readonly SessionUpdate[]>();
  const made = sessionBench((connection) => {
    connection.capabilities = capabilities;
    connection.replay = ({ sessionId }) => {
      connection.send(sessionId, ...(cutOf.get(sessionId) ?? history));
    };
    connection.opening = (place) => {
      const sessionId = `new${connection.places.length + connection.forks.length}`;
      if ('sessionId' in place) {
        cutOf.set(sessionId, cut((place as ForkTarget).at));
      }
      return { sessionId };
    };
  });
  const marks = new SessionMarks(memento(), silentLog);
  const drafts = new Map<string, Draft>();
  const work = {
    read: () => Promise.resolve(),
    setDraft: ({ sessionId }: { readonly sessionId: string }, written: Draft) => {
      drafts.set(sessionId, written);
    },
  };
  const branching = new Branching({ sessions: made.sessions, marks, work, log: silentLog });
  await made.session.load();
  return {
    made,
    session: made.session,
    marks,
    branching,
    drafts,
    connection: () => made.connections[0]!,
    point: (index) => {
      const found = branching.pointBefore(made.session, index, `prompt ${index}`);
      assert.ok(found);
      return found;
    },
    branch: async (point, text) => {
      const session = await branching.branch(point, text, new AbortController().signal);
      assert.ok(session);
      return session;
    },
  };
}

describe('Branching at a prompt', () => {
  it('T-42: forks at the last message before it, where the agent ends forks so', async () => {
    for (const kind of ['claude', 'codex'] as const) {
      const bench = await benchOf(cuts[kind]);
      const point = bench.point(4);
      assert.equal(point.way, 'message');
      const fork = await bench.branch(point, draft('Three, but better'));
      assert.equal(bench.connection().forks[0]?.at, 'a2');
      assert.equal(bench.drafts.get(fork.info.sessionId)?.text, 'Three, but better');
      const origin = () => bench.marks.get('demo', fork.info.sessionId).origin;
      await until(() => origin()?.held === 'before');
      assert.deepEqual(texts(fork), ['One', 'Said.', 'Two', 'Said again.']);
      assert.deepEqual(origin(), {
        sessionId: 's0',
        turn: 3,
        prompt: 'prompt 4',
        held: 'before',
      });
      assert.deepEqual(
        bench.marks.getBranches('demo', 's0').map(({ sessionId }) => sessionId),
        [fork.info.sessionId],
      );
      assert.equal(bench.made.sessions.find('demo', 's0'), bench.session, 'the origin goes on');
    }
  });

  it('T-42: an agent that forks the whole without a word is found out', async () => {
    const bench = await benchOf(cuts.other);
    const fork = await bench.branch(bench.point(2), draft('x'));
    await until(() => bench.marks.get('demo', fork.info.sessionId).origin?.held === 'whole');
  });

  it('is titled by its origin, at the agent if it can, otherwise here', async () => {
    const able = await benchOf(cuts.claude);
    const fork = await able.branch(able.point(2), draft('x'));
    const title = 'First · from turn 2';
    await until(() => able.connection().calls.includes(`title ${fork.info.sessionId} ${title}`));
    assert.equal(fork.title, title);
    const bare = await benchOf(cuts.claude, { ...allCapabilities, title: false });
    await bare.marks.setAlias({ agentId: 'demo', sessionId: 's0' }, 'Mine');
    const other = await bare.branch(bare.point(2), draft('x'));
    const alias = () => bare.marks.get('demo', other.info.sessionId).alias;
    await until(() => alias() === 'Mine · from turn 2');
  });

  it('before the first prompt there is nothing to fork: a new session in the same folder', async () => {
    const bench = await benchOf(cuts.claude);
    const point = bench.point(0);
    assert.equal(point.way, 'start');
    const fork = await bench.branch(point, draft('One again'));
    assert.deepEqual(bench.connection().forks, []);
    assert.equal(fork.info.cwd, bench.session.info.cwd);
    assert.equal(bench.marks.get('demo', fork.info.sessionId).origin?.held, 'before');
  });

  it('without an id it can only be the whole, without forks only a text', async () => {
    const bench = await benchOf(cuts.claude);
    bench.connection().send('s0', user('Four', 'u4'), agent('x'), user('Five', 'u5'));
    assert.equal(bench.point(8).way, 'message', 'its prompt has one');
    const bare = await benchOf(cuts.claude, { ...allCapabilities, fork: false });
    assert.equal(bare.point(2).way, 'text');
    const fork = await bare.branch(bare.point(2), draft('x'));
    assert.deepEqual(bare.connection().forks, []);
    assert.equal(bare.marks.get('demo', fork.info.sessionId).origin?.held, 'text');
  });

  it('what cannot be shown, by the fork or by its origin, is not known', async () => {
    const bench = await benchOf(cuts.claude, { ...allCapabilities, close: false });
    const fork = await bench.branch(bench.point(2), draft('x'));
    await until(() => fork.title.includes('from turn 2'));
    assert.equal(bench.marks.get('demo', fork.info.sessionId).origin?.held, 'unknown');
    const resumed = sessionBench();
    await resumed.session.resume();
    await prompted(resumed);
    const point = bench.branching.pointBefore(resumed.session, 0, 'go');
    assert.equal(point?.way, 'whole', 'its first prompt here is not its first');
    assert.equal(point.conversation, undefined);
  });

  it('nothing is kept of a fork that failed, whatever the agent answered', async () => {
    const bench = await benchOf(cuts.claude);
    const connection = bench.connection();
    const before = bench.made.sessions.all.length;
    const error = new AcpError('invalidParams', 'Fork point a1 was not found');
    connection.opening = () => Promise.reject(error);
    const { signal } = new AbortController();
    const unknown = await bench.branching.branch(bench.point(2), draft('x'), signal);
    assert.equal(unknown, undefined, 'the user is asked whether it may be the whole');
    for (const [answer, point, code] of [
      [error, { ...bench.point(2), way: 'whole' }, 'invalidParams'],
      [new AcpError('gone', 'closed'), bench.point(2), 'gone'],
    ] as const) {
      connection.opening = () => Promise.reject(answer);
      await assert.rejects(
        bench.branch(point, draft('x')),
        (failed) => failed instanceof AcpError && failed.code === code,
      );
    }
    connection.opening = () => ({ sessionId: 's0' });
    await assert.rejects(
      bench.branch(bench.point(2), draft('x')),
      (error) => error instanceof AcpError && error.code === 'malformed',
    );
    assert.equal(bench.made.sessions.all.length, before);
    assert.deepEqual(bench.marks.getBranches('demo', 's0'), []);
    assert.equal(bench.drafts.size, 0);
  });

  it('a fork that its agent has lost by the time it is loaded is kept, without a word about it', async () => {
    const bench = await benchOf(cuts.claude);
    bench.connection().replay = () => Promise.reject(new AcpError('gone', 'lost'));
    const fork = await bench.branch(bench.point(2), draft('x'));
    await until(() => fork.phase.kind === 'failed');
    await until(() => fork.title.includes('from turn 2'));
    assert.equal(bench.marks.get('demo', fork.info.sessionId).origin?.held, 'unknown');
  });

  it('only a prompt with which a turn begins has such a place', async () => {
    const { branching, session } = await benchOf(cuts.claude);
    assert.equal(branching.pointBefore(session, 1, ''), undefined);
    assert.equal(branching.pointBefore(session, 99, ''), undefined);
  });
});
