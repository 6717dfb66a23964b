import assert from 'node:assert/strict';
import { describeWork } from '../../../../src/features/glance/lastTurn';
import { transcriptMarkdown } from '../../../../src/model/transcript/transcriptText';
import type { PermissionRequest } from '../../../../src/protocol/agentRequests';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { drawEntry } from '../../../../src/views/transcript/rows/draw';
import { until } from '../../../support/until';
import { prompted, type SessionBench, sessionBench, texts } from '../sessionBench';
import { agent, call, change, chunk, thought } from '../updates';

const options: PermissionRequest['options'] = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** A session whose turn has asked about the call `c1`, which it says is running. */
async function asking(...before: Parameters<SessionBench['connections'][0]['send']>[1][]) {
  const made = sessionBench();
  const { connection, prompt } = await prompted(made, 'go');
  connection.send('s0', ...before);
  const { session } = made;
  const ask = () =>
    session.requests.permission(
      {
        options,
        toolCall: { toolCallId: 'c1', title: 'echo hi', kind: 'execute', status: 'in_progress' },
      },
      new AbortController().signal,
    );
  const answer = ask();
  await until(() => session.requests.waiting.length === 1);
  const choose = (optionId: string) => {
    const entry = session.transcript.entries[session.requests.waiting[0]!];
    assert.ok(entry?.kind === 'permission');
    session.requests.answerPermission(entry.requestId, optionId);
  };
  const end = async () => {
    prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
  };
  const shown = () => session.transcript.toolCall('c1');
  return { session, connection, ask, answer, choose, end, shown };
}

const kinds = (entries: readonly Entry[]) => entries.map(({ kind }) => kind);

describe('a call that the user is asked about', () => {
  it('T-80, PE-6: waits, whatever its agent says, and runs once it is allowed', async () => {
    const { session, connection, choose, shown } = await asking();
    assert.equal(shown()?.asked, true);
    connection.send(
      's0',
      call('c1', { status: 'pending' }),
      change('c1', { status: 'in_progress' }),
    );
    assert.equal(shown()?.asked, true);
    const drawn = drawEntry(shown()!, '/');
    assert.ok(drawn.kind === 'toolCall' && drawn.asked);
    choose('yes');
    assert.equal(shown()?.asked, undefined);
    assert.equal(shown()?.status, 'in_progress');
    connection.send('s0', change('c1', { title: 'echo hi' }));
    assert.equal(describeWork(session.transcript.entries), 'echo hi');
  });

  it('waits until the last of several questions about it is answered', async () => {
    const { session, ask, choose, shown } = await asking();
    void ask();
    await until(() => session.requests.waiting.length === 2);
    choose('yes');
    assert.equal(shown()?.asked, true);
    choose('yes');
    assert.equal(shown()?.asked, undefined);
  });

  it('waits no more when the turn is stopped', async () => {
    const { session, answer, shown } = await asking();
    session.turns.cancel();
    assert.equal(await answer, undefined);
    assert.equal(shown()?.asked, undefined);
    assert.equal(shown()?.status, 'cancelled');
  });

  it('says so in texts', async () => {
    const { session } = await asking();
    const text = [
      ...transcriptMarkdown(
        { title: 's', agentTitle: 'A', cwd: '/', sessionId: 's0' },
        session.transcript.entries,
      ),
    ];
    assert.match(text.join(''), /Status: waiting for your answer/);
  });

  it('T-80: is rejected with the answer, even if its agent sends nothing more', async () => {
    const { session, connection, choose, end, shown } = await asking();
    choose('no');
    assert.equal(shown()?.status, 'rejected');
    connection.send('s0', call('c1', { status: 'pending' }));
    assert.equal(shown()?.status, 'rejected');
    connection.send('s0', change('c1', { status: 'in_progress' }));
    assert.equal(shown()?.status, 'in_progress', 'the agent goes on with it');
    await end();
    assert.equal(shown()?.status, 'rejected');
    connection.send('s0', change('c1', { status: 'completed' }));
    assert.equal(shown()?.status, 'completed', 'the agent knows better');
    assert.equal(session.requests.waiting.length, 0);
  });

  it('is rejected, not canceled or interrupted, however its turn ends', async () => {
    const stopped = await asking();
    stopped.choose('no');
    stopped.connection.send('s0', change('c1', { status: 'in_progress' }));
    stopped.session.turns.cancel();
    assert.equal(stopped.shown()?.status, 'rejected');
    const lost = await asking();
    lost.choose('no');
    lost.connection.send('s0', change('c1', { status: 'in_progress' }));
    lost.connection.die();
    await until(() => lost.session.turns.current.kind === 'idle');
    assert.equal(lost.shown()?.status, 'rejected');
  });

  it('waits again if its agent asks again', async () => {
    const { ask, choose, session, shown } = await asking();
    choose('no');
    void ask();
    await until(() => session.requests.waiting.length === 1);
    assert.equal(shown()?.asked, true);
    choose('yes');
    assert.equal(shown()?.status, 'in_progress');
  });
});

describe('a request that comes before its call', () => {
  for (const [name, answerFirst] of [
    ['after the answer', true],
    ['while it waits', false],
  ] as const) {
    it(`T-80: has the text before the call above it, if that comes ${name}`, async () => {
      const { session, connection, choose } = await asking();
      if (answerFirst) {
        choose('yes');
      }
      connection.send(
        's0',
        thought('let me', 'm1'),
        agent('I will ', 'm1'),
        agent('run now.', 'm1'),
      );
      connection.send('s0', call('c1', { status: 'pending' }));
      if (!answerFirst) {
        choose('yes');
      }
      connection.send('s0', change('c1', { status: 'completed' }), agent('Done.', 'm2'));
      const { entries } = session.transcript;
      assert.deepEqual(kinds(entries), [
        'user',
        'thought',
        'agent',
        'toolCall',
        'permission',
        'agent',
      ]);
      assert.deepEqual(
        texts(session).filter((text) => /run now|Done/.test(text)),
        ['I will run now.', 'Done.'],
      );
      const question = entries.find(({ kind }) => kind === 'permission');
      assert.ok(question?.kind === 'permission');
      assert.equal(entries[question.call ?? -1]?.kind, 'toolCall');
    });
  }

  it('is above what its agent says of a call without announcing it', async () => {
    const { session, connection, choose, end } = await asking();
    choose('no');
    connection.send('s0', agent('Then not.'));
    await end();
    assert.deepEqual(kinds(session.transcript.entries), [
      'user',
      'toolCall',
      'permission',
      'agent',
    ]);
  });

  it('moves below other calls, and can still be answered', async () => {
    const { session, connection, answer, choose } = await asking();
    connection.send('s0', agent('Two things.'), call('c2', { status: 'completed' }));
    connection.send('s0', call('c1', { status: 'pending' }));
    const { entries } = session.transcript;
    assert.deepEqual(kinds(entries), ['user', 'agent', 'toolCall', 'toolCall', 'permission']);
    assert.equal(session.transcript.toolCall('c2')?.status, 'completed');
    assert.deepEqual(session.requests.waiting, [4]);
    choose('yes');
    assert.deepEqual(await answer, { optionId: 'yes' });
    const question = entries[4];
    assert.ok(question?.kind === 'permission' && question.call === 3);
    assert.equal(question.state.kind, 'selected');
  });

  it('V2-MSG-2: what is added by a message’s id goes where the message has moved', async () => {
    const { session, connection, choose } = await asking();
    choose('yes');
    connection.send('s0', chunk('agent', 'm1', 'I will'), change('c1', { status: 'pending' }));
    connection.send('s0', chunk('agent', 'm1', ' run now.'));
    assert.deepEqual(kinds(session.transcript.entries), [
      'user',
      'agent',
      'toolCall',
      'permission',
    ]);
    assert.equal(texts(session).includes('I will run now.'), true);
  });
});
