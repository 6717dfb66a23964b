import assert from 'node:assert/strict';
import { retellCached } from '../../../../../src/features/cachedTranscripts/model/retellCached';
import type { Session } from '../../../../../src/model/session/session';
import { TurnNotes } from '../../../../../src/model/transcript/turnNotes/turnNotes';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import { until } from '../../../../support/until';
import { idle, silentLog } from '../../fakes';
import { FakeTexts } from '../../session/fakeTexts';
import { prompted, type SessionBench, sessionBench } from '../../sessionBench';
import { agent, call, change, chunk, thought, user } from '../../updates';

const limits = { tailMs: 3_600_000 };
const ref = { agentId: 'demo', sessionId: 's0' };

function notesIn(texts: FakeTexts): TurnNotes {
  const workspace = { trusted: true };
  const settings = { transcriptCacheLimit: 1 };
  return new TurnNotes({ texts, workspace, settings, log: silentLog });
}

/** A window whose agent replays these updates, and which keeps notes in these texts. */
function window(texts: FakeTexts, replay: readonly SessionUpdate[] = []): SessionBench {
  return sessionBench(
    (connection) => {
      connection.replay = () => connection.send('s0', ...replay);
    },
    limits,
    undefined,
    notesIn(texts),
  );
}

async function turn(made: SessionBench, text: string, ...updates: SessionUpdate[]): Promise<void> {
  const { connection, prompt } = await prompted(made, text);
  connection.send('s0', ...updates);
  prompt.resolve('end_turn');
  await until(() => made.session.turns.current.kind === 'idle');
  await idle();
}

/** When each message was seen. */
function times({ transcript }: Pick<Session, 'transcript'>): (number | undefined)[] {
  return transcript.entries.flatMap((entry) =>
    entry.kind === 'agent' || entry.kind === 'thought' ? [entry.seen] : [],
  );
}

async function reopened(texts: FakeTexts, ...replay: SessionUpdate[]): Promise<Session> {
  const { session } = window(texts, replay);
  await session.load();
  return session;
}

const told = [
  thought('Let me see'),
  call('c1'),
  change('c1', { status: 'completed' }),
  agent('I have looked at it, '),
  agent('and it is fine.'),
];

describe('the times of messages', () => {
  it('are those at which this client saw them begin, and none is made up for a replay', async () => {
    const texts = new FakeTexts();
    const made = window(texts, [user('Before'), agent('Long ago.')]);
    await made.session.load();
    const began = Date.now();
    await turn(made, 'Look', ...told);
    const [before, ...seen] = times(made.session);
    assert.equal(before, undefined);
    assert.equal(seen.length, 2);
    assert.ok(seen.every((time) => time !== undefined && time >= began && time <= Date.now()));
    made.connections[0]?.send('s0', agent('What nobody asked for.', 'late'));
    assert.equal(times(made.session).at(-1), undefined, 'it may be the rest of a replay');
  });

  it('stay what they are while a message grows, with and without a unique id', async () => {
    const made = window(new FakeTexts());
    const { connection } = await prompted(made, 'Look');
    connection.send('s0', agent('One', 'm1'), chunk('agent', 'm2', 'Two'));
    const first = times(made.session);
    await until(() => Date.now() > (first[1] ?? 0));
    connection.send('s0', chunk('agent', 'm2', ' and more'), agent(' and more', 'm1'));
    assert.deepEqual(times(made.session), first);
  });

  it('are there again after a reload, where the agent replays the same words, and in what is cached', async () => {
    const texts = new FakeTexts();
    const made = window(texts);
    await turn(made, 'Look', ...told);
    const seen = times(made.session);
    const again = [
      user('Look'),
      thought('Let me  see\n'),
      call('c1'),
      agent('I have looked at it, and it is fine.'),
    ];
    assert.deepEqual(times(await reopened(texts, ...again)), seen);
    const other = [...again.slice(0, 3), agent('I have looked.'), agent('Bye', 'm2')];
    assert.deepEqual(times(await reopened(texts, ...other)), [seen[0], undefined, undefined]);
    const next = await reopened(texts, ...again, user('Look again'), agent('Let me see'));
    assert.deepEqual(times(next), [...seen, undefined]);
    const cached = (await reopened(new FakeTexts(), ...again)).transcript.entries;
    const entries = retellCached(cached, await notesIn(texts).of(ref), () => 1);
    assert.deepEqual(times({ transcript: { entries } as Session['transcript'] }), seen);
  });

  it('SEC-70: are bounded, and kept without the words', async () => {
    const texts = new FakeTexts();
    const messages = Array.from({ length: 120 }, (_, at) => agent(`Secret ${at}`, `message-${at}`));
    await turn(window(texts), 'Look', ...messages);
    const [stored = ''] = texts.texts.values();
    const { turns } = JSON.parse(stored) as { turns: { said: unknown[] }[] };
    assert.equal(turns[0]?.said.length, 60);
    assert.doesNotMatch(stored, /Secret/);
    assert.ok(JSON.stringify(turns[0].said).length < 60 * 24);
  });

  it('SEC-70: that are stored in another shape are left out', async () => {
    const texts = new FakeTexts();
    const made = window(texts);
    await turn(made, 'Look', ...told);
    const [[name, text] = ['', '']] = texts.texts;
    const { turns } = JSON.parse(text) as { turns: { said: [string, number][] }[] };
    const [digest = ''] = turns[0]?.said[0] ?? [];
    for (const said of [
      ...[7, 'x', null, [null, 5, {}, []]],
      ...[[[digest, -1]], [[digest, 1e300]], [[digest, '5']], [[`${digest}x`, 5]], [[5, 5]]],
    ]) {
      const odd = { version: 1, agentId: 'demo', turns: turns.map((each) => ({ ...each, said })) };
      texts.texts.set(name, JSON.stringify(odd));
      const session = await reopened(texts, user('Look'), ...told);
      assert.deepEqual(times(session), [undefined, undefined], JSON.stringify(said));
    }
  });
});
