import assert from 'node:assert/strict';
import { retellCached } from '../../../../../src/features/cachedTranscripts/model/retellCached';
import type { Session } from '../../../../../src/model/session/session';
import { TurnNotes } from '../../../../../src/model/transcript/turnNotes/turnNotes';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import type { Entry, TurnUsage } from '../../../../../src/shared/transcript/entries';
import { until } from '../../../../support/until';
import { type FakeConnection, idle, silentLog } from '../../fakes';
import { FakeTexts } from '../../session/fakeTexts';
import { lastOutcome, prompted, type SessionBench, sessionBench } from '../../sessionBench';
import { agent, call, change, user } from '../../updates';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;
const longReply = 'I have looked at the parser and at its tests.';

/** A window whose agent replays these updates, and which keeps notes in these texts. */
function window(
  texts: FakeTexts,
  replay: readonly SessionUpdate[] = [],
  { limit = 1, tailMs = 3_600_000, late = [] as readonly SessionUpdate[] } = {},
): SessionBench {
  const notes = new TurnNotes({
    texts,
    workspace: { trusted: true },
    settings: { transcriptCacheLimit: limit },
    log: silentLog,
  });
  const prepare = (connection: FakeConnection): void => {
    connection.replay = () => {
      connection.send('s0', ...replay);
      setImmediate(() => connection.send('s0', ...late));
    };
  };
  return sessionBench(prepare, { tailMs }, undefined, notes);
}

interface Told {
  readonly asks?: string;
  readonly answer?: string;
  readonly end?: string;
  readonly usage?: TurnUsage;
}

/** One turn in a window: what the agent sends, what it asks for, and how the turn ends. */
async function turn(
  made: SessionBench,
  text: string,
  updates: readonly SessionUpdate[],
  { asks, answer, end = 'end_turn', usage }: Told = {},
): Promise<void> {
  // Two turns of a session don't begin in the same millisecond.
  const before = Date.now();
  await until(() => Date.now() > before);
  const { connection, prompt } = await prompted(made, text);
  connection.send('s0', ...updates);
  if (asks !== undefined) {
    const toolCall = {
      toolCallId: asks,
      title: 'Run ls',
      kind: 'execute' as const,
      rawInput: { command: 'ls' },
    };
    const { signal } = new AbortController();
    void connection.requests.requestPermission({ sessionId: 's0', toolCall, options }, signal);
    await until(() => made.session.requests.waiting.length > 0 || answer === undefined);
    const [index = -1] = made.session.requests.waiting;
    const entry = made.session.transcript.entries[index];
    if (answer !== undefined && entry?.kind === 'permission') {
      made.session.requests.answerPermission(entry.requestId, answer);
    }
  }
  if (end === 'cancelled') {
    made.session.turns.cancel();
  }
  if (usage !== undefined) {
    prompt.used?.(usage);
  }
  prompt.resolve(end);
  await until(() => made.session.turns.current.kind === 'idle');
  await idle();
}

/** What the transcript says that the agent doesn't. */
function said({ transcript }: Session): unknown[] {
  const saidOf = (entry: Entry): unknown => {
    switch (entry.kind) {
      case 'permission':
        return [entry.toolCall.toolCallId, entry.state, entry.call];
      case 'turn':
        return entry.outcome;
      case 'user':
        return entry.turn && [typeof entry.turn.began, typeof entry.turn.ended];
      case 'toolCall':
        return entry.status;
      default:
        return entry.kind;
    }
  };
  return transcript.entries.map(saidOf);
}

async function reopened(
  texts: FakeTexts,
  replay: readonly SessionUpdate[],
  more: Parameters<typeof window>[2] = {},
): Promise<Session> {
  const after = window(texts, replay, more);
  await after.session.load();
  return after.session;
}

describe('what a transcript said of its turns', () => {
  it('US-5: the tokens of a turn are there again', async () => {
    const texts = new FakeTexts();
    const made = window(texts);
    await made.session.load();
    const usage = { total: 12, input: 3, output: 4, cachedRead: 5 };
    await turn(made, 'count them', [agent(longReply)], { usage });
    await until(() => texts.texts.size === 1);
    const session = await reopened(texts, [user('count them'), agent(longReply)]);
    const [entry] = session.transcript.entries;
    assert.ok(entry?.kind === 'user');
    assert.deepEqual(entry.turn?.usage, usage);
    assert.deepEqual(session.turns.tokens, usage, 'of a loaded session, too');
  });

  const story = async (made: SessionBench): Promise<void> => {
    await turn(made, 'list them', [call('toolu_0001', { kind: 'execute' })], {
      asks: 'toolu_0001',
      answer: 'yes',
    });
    made.connections[0]?.send(
      's0',
      change('toolu_0001', { status: 'completed' }),
      agent(longReply),
    );
    made.decide = () => 'reject';
    await turn(made, 'remove them', [call('toolu_0002', { kind: 'execute' })], {
      asks: 'toolu_0002',
    });
    await turn(made, 'go on', [agent('Well, it looks as if I should begin with')], {
      end: 'cancelled',
    });
  };
  const replay: readonly SessionUpdate[] = [
    user('list them'),
    call('toolu_0001', { kind: 'execute' }),
    change('toolu_0001', { status: 'completed' }),
    agent(longReply),
    user('remove them'),
    call('toolu_0002', { kind: 'execute', status: 'failed' }),
    user('go  on\n'),
    agent('Well, it looks as if I should begin with'),
  ];

  it('it says again after a reload: who allowed what, when a turn was, and that it was stopped', async () => {
    const texts = new FakeTexts();
    const before = window(texts);
    await before.session.load();
    await story(before);
    const session = await reopened(texts, replay);
    const times = ['number', 'number'];
    const chosen = (optionId: string, by: string) => ({ kind: 'selected', optionId, by });
    assert.deepEqual(said(session), [
      times,
      'completed',
      ['toolu_0001', chosen('yes', 'person'), 1],
      'agent',
      times,
      'rejected',
      ['toolu_0002', chosen('no', 'rule'), 5],
      times,
      'agent',
      { type: 'stopped', stopReason: 'cancelled' },
    ]);
    const began = before.session.transcript.entries.flatMap((entry) =>
      entry.kind === 'user' ? [entry.turn?.began] : [],
    );
    const again = session.transcript.entries.flatMap((entry) =>
      entry.kind === 'user' ? [entry.turn?.began] : [],
    );
    assert.deepEqual(again, began);
    assert.deepEqual(session.requests.waiting, []);
  });

  it('it says again after a restart of the agent, and after a second reload', async () => {
    const texts = new FakeTexts();
    const before = window(texts, replay);
    await before.session.load();
    const once = window(new FakeTexts(), replay);
    await once.session.load();
    assert.ok(
      said(once.session).every((each) => !Array.isArray(each)),
      'nothing is made up',
    );
    const made = window(texts, []);
    await story(made);
    const first = await reopened(texts, replay);
    const second = await reopened(texts, replay);
    assert.deepEqual(said(second), said(first));
    const restarted = window(texts, replay);
    await restarted.session.load();
    await restarted.agent.restart();
    await until(() => restarted.session.isLive);
    assert.deepEqual(said(restarted.session), said(first));
  });

  it('that a turn failed, with its reason, and nothing to send again', async () => {
    const texts = new FakeTexts();
    const before = window(texts);
    const { prompt } = await prompted(before, 'build it');
    prompt.reject(new Error('x'));
    await until(() => before.session.turns.current.kind === 'idle');
    const live = lastOutcome(before.session);
    assert.ok(live.type === 'failed');
    await idle();
    const session = await reopened(texts, [user('build it')]);
    const again = lastOutcome(session);
    assert.ok(again.type === 'failed' && !again.canResend);
    assert.deepEqual(
      [again.failure.title, again.failure.detail, again.failure.actions],
      [live.failure.title, live.failure.detail, []],
    );
  });

  it('never at a turn of another client with the same words, before it or after it', async () => {
    const texts = new FakeTexts();
    const before = window(texts, [user('go on'), agent('Something that was said elsewhere.')]);
    await before.session.load();
    await turn(before, 'go on', [agent(longReply)], { end: 'cancelled' });
    const elsewhere = [user('go on'), agent('Something that was said elsewhere.')];
    const own = [user('go on'), agent(longReply)];
    const times = ['number', 'number'];
    const stopped = { type: 'stopped', stopReason: 'cancelled' };
    assert.deepEqual(said(await reopened(texts, [...elsewhere, ...own])), [
      undefined,
      'agent',
      times,
      'agent',
      stopped,
    ]);
    const later = await reopened(texts, [
      ...elsewhere,
      ...own,
      user('go on'),
      agent('And on it went.'),
    ]);
    assert.deepEqual(said(later).slice(2), [times, 'agent', stopped, undefined, 'agent']);
    const lost = await reopened(texts, elsewhere);
    assert.deepEqual(said(lost), [undefined, 'agent']);
  });

  it('at the right one of two turns whose calls the agent counts anew, or at none', async () => {
    const texts = new FakeTexts();
    const before = window(texts);
    await turn(before, 'again', [call('1')], { asks: '1', answer: 'no' });
    await turn(before, 'again', [call('1b')], { end: 'cancelled' });
    const both = await reopened(texts, [
      user('again'),
      call('1'),
      agent('No.'),
      user('again'),
      call('1b'),
    ]);
    const kinds = both.transcript.entries.map(({ kind }) => kind);
    assert.deepEqual(kinds, [
      'user',
      'toolCall',
      'permission',
      'agent',
      'user',
      'toolCall',
      'turn',
    ]);
    const odd = await reopened(texts, [
      user('other'),
      call('1'),
      user('again'),
      agent('Elsewhere, long ago, it was.'),
    ]);
    assert.deepEqual(
      odd.transcript.entries.map(({ kind }) => kind),
      ['user', 'toolCall', 'user', 'agent'],
    );
  });

  it('behind what an agent replays as the user’s, such as its own context', async () => {
    const texts = new FakeTexts();
    const before = window(texts);
    await turn(before, 'fix it', [agent(longReply)], { end: 'max_tokens' });
    const session = await reopened(texts, [
      user('This is the setup.', 'u0'),
      agent('OK.'),
      user('fix it'),
      agent(longReply),
    ]);
    assert.deepEqual(lastOutcome(session), { type: 'stopped', stopReason: 'max_tokens' });
  });

  it('T-9: in the order of the turns when an agent replays after its answer', async () => {
    const texts = new FakeTexts();
    await story(window(texts));
    const session = await reopened(texts, replay.slice(0, 1), {
      late: replay.slice(1),
      // Longer than a busy machine takes for what the agent sends late.
      tailMs: 500,
    });
    await until(() => session.transcript.entries.at(-1)?.kind === 'turn');
    const direct = await reopened(texts, replay);
    assert.deepEqual(said(session), said(direct));
  });

  it('a cached transcript says it, too, as there may be no agent', async () => {
    const texts = new FakeTexts();
    await story(window(texts));
    const direct = await reopened(texts, replay);
    const bare = (await reopened(new FakeTexts(), replay)).transcript.entries;
    const parts = {
      workspace: { trusted: true },
      settings: { transcriptCacheLimit: 1 },
      log: silentLog,
    };
    const notes = await new TurnNotes({ texts, ...parts }).of({ agentId: 'demo', sessionId: 's0' });
    let requestId = 0;
    const entries = retellCached(bare, notes, () => ++requestId);
    const kinds = (all: readonly Entry[]) => all.map(({ kind }) => kind);
    assert.deepEqual(kinds(entries), kinds(direct.transcript.entries));
    const [asked] = entries.filter(({ kind }) => kind === 'permission');
    assert.ok(asked?.kind === 'permission' && asked.call === 1);
    assert.equal(
      retellCached(bare, [], () => 0),
      bare,
    );
  });

  it('an end that the agent replays itself isn’t said twice', async () => {
    const texts = new FakeTexts();
    await story(window(texts));
    const session = await reopened(texts, [
      ...replay,
      user('[Request interrupted by user]'),
      user('next'),
    ]);
    const ends = session.transcript.entries.filter(({ kind }) => kind === 'turn');
    assert.equal(ends.length, 1);
    const end = '[Request interrupted by user]';
    const chunks = [user(end.slice(0, 9)), user(end.slice(9)), user('next', 'u9'), agent('Yes.')];
    const split = await reopened(texts, [...replay, ...chunks]);
    assert.equal(split.transcript.entries.filter(({ kind }) => kind === 'turn').length, 1);
    const times = said(split).filter((each) => Array.isArray(each) && each[0] === 'number');
    assert.equal(times.length, 3);
  });

  it('SEC-70: nothing is kept while no transcripts are cached, and what was kept is forgotten', async () => {
    const texts = new FakeTexts();
    await turn(window(texts, [], { limit: 0 }), 'fix it', []);
    assert.equal(texts.texts.size, 0);
    await turn(window(texts), 'fix it', []);
    assert.equal(texts.texts.size, 1);
    const parts = {
      workspace: { trusted: true },
      settings: { transcriptCacheLimit: 1 },
      log: silentLog,
    };
    await new TurnNotes({ texts, ...parts }).forgetAgent('other');
    assert.equal(texts.texts.size, 1);
    await new TurnNotes({ texts, ...parts }).forgetAgent('demo');
    assert.equal(texts.texts.size, 0);
  });

  it('SEC-70: keeps no prompt and no output, and is bounded', async () => {
    const texts = new FakeTexts();
    const made = window(texts);
    await turn(made, 'my secret plan', [agent('a very secret answer that is long enough')]);
    const [stored = ''] = texts.texts.values();
    assert.doesNotMatch(stored, /secret/);
    for (let count = 0; count < 205; count++) {
      await turn(made, `prompt ${count}`, []);
    }
    const [last = ''] = texts.texts.values();
    assert.equal((JSON.parse(last) as { turns: unknown[] }).turns.length, 200);
    assert.ok(last.length < 128 * 1024);
  });

  it('SEC-70: takes nothing from a stored text that isn’t what was written', async () => {
    const texts = new FakeTexts();
    await story(window(texts));
    const [[name, text] = ['', '']] = texts.texts;
    const { turns } = JSON.parse(text) as { turns: Record<string, unknown>[] };
    const odd = turns.map((each) => ({
      ...each,
      ended: -1,
      outcome: { type: 'failed', failure: { code: 'x', title: 1, actions: ['signIn'] } },
      asked: [{ call: { id: 'toolu_0001' }, options: [{}], state: { kind: 'waiting' } }, null, 5],
    }));
    texts.texts.set(
      name,
      JSON.stringify({ version: 1, agentId: 'demo', turns: [null, 7, ...odd] }),
    );
    const session = await reopened(texts, replay);
    assert.ok(
      session.transcript.entries.every(({ kind }) => kind !== 'permission' && kind !== 'turn'),
    );
    for (const bad of ['{', '[]', '{"version":2}']) {
      texts.texts.set(name, bad);
      assert.equal((await reopened(texts, replay)).phase.kind, 'ready');
    }
  });
});
