import assert from 'node:assert/strict';
import {
  maxDepth,
  maxSubagents,
  maxUnshownSubagents,
} from '../../../../src/model/subagents/subagents';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { indexAt, numberAt, placeIn } from '../../../../src/shared/transcript/places';
import { until } from '../../../support/until';
import { session as info } from '../fakes';
import { prompted, sessionBench, texts } from '../sessionBench';
import { agent, call, change, chunk, state, unknown, user, whole } from '../updates';
import { announced, ask, outline, shown, subagentsIn, working } from './subagentBench';

const never = new AbortController().signal;

describe('Subagents', () => {
  it('SUB-1: what one does is in the transcript of its own, at its place in that of the session', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', agent('I ask one.', 'a'), announced('look', { description: 'Look' }));
    connection.send('look', user('Look around.'), call('r', { status: 'completed' }));
    connection.send('s0', agent('And go on.', 'b'));
    connection.send('look', agent('Found it.'));
    assert.equal(shown(made), 'I ask one., look running(Look around., r, Found it.), And go on.');
    const [entry] = subagentsIn(session.transcript.entries);
    assert.equal(entry?.calls.size, 1);
    assert.equal(entry.entries.length, 3);
    assert.equal(entry.description, 'Look');
    assert.ok(entry.times?.began !== undefined && entry.times.ended === undefined);
    connection.send('s0', announced('look', { state: { kind: 'idle', stopReason: 'end_turn' } }));
    const [ended] = subagentsIn(session.transcript.entries);
    assert.deepEqual(ended?.state, { kind: 'idle', stopReason: 'end_turn' });
    assert.ok(ended.times?.ended !== undefined);
    const place = placeIn(1, 2);
    assert.deepEqual([numberAt(place), indexAt(place)], [1, 2]);
    assert.equal(session.transcript.at(place)?.kind, 'agent');
  });

  it('SUB-1: subagents of subagents nest, and each may be used again', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', announced('a'));
    connection.send('a', announced('b'));
    connection.send('b', agent('deep'));
    connection.send('a', announced('b', { state: { kind: 'idle', stopReason: 'end_turn' } }));
    assert.equal(shown(made), 'a running(b idle(deep))');
    connection.send('a', announced('b'));
    connection.send('b', agent('er'));
    assert.equal(shown(made), 'a running(b running(deeper))');
  });

  it('a replay shows the same as what came live, without times', async () => {
    const updates: readonly (readonly [string, SessionUpdate])[] = [
      ['s0', agent('I ask one.', 'a')],
      ['s0', announced('look')],
      ['look', call('r', { status: 'completed' })],
      ['look', announced('deeper')],
      ['deeper', agent('Found it.')],
      ['look', announced('deeper', { state: { kind: 'idle', stopReason: 'end_turn' } })],
      ['s0', announced('look', { state: { kind: 'idle', stopReason: 'cancelled' } })],
    ];
    const made = await working();
    for (const [id, update] of updates) {
      made.connection.send(id, update);
    }
    const live = shown(made);
    made.connection.replay = () => {
      for (const [id, update] of updates) {
        made.connection.send(id, update);
      }
    };
    await made.session.reload();
    assert.equal(outline(made.session.transcript.entries), live);
    assert.equal(subagentsIn(made.session.transcript.entries)[0]?.times, undefined);
  });

  it('SUB-3: calls that name the call of their subagent are in that one’s transcript', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', call('task', { title: 'Review', status: 'in_progress' }));
    connection.send('s0', call('r', { parentCallId: 'task' }));
    connection.send('s0', { ...agent('thinking'), parentCallId: 'task' } as SessionUpdate);
    connection.send('s0', call('inner', { title: 'Deeper', parentCallId: 'task' }));
    connection.send('s0', call('deep', { parentCallId: 'inner' }));
    // Later updates may omit whose they are.
    connection.send('s0', change('deep', { status: 'completed' }));
    assert.equal(shown(made), 'task, Review running(r, thinking, inner, Deeper running(deep))');
    const [entry] = subagentsIn(made.session.transcript.entries);
    assert.equal(entry?.call, 1, 'it is drawn with its call');
    connection.send('s0', change('task', { status: 'completed' }));
    connection.send('s0', change('inner', { status: 'failed' }));
    assert.equal(shown(made), 'task, Review idle(r, thinking, inner, Deeper idle(deep))');
  });

  it('SUB-3: a call that names its subagent too late stays where it is; its own parent is none', async () => {
    const made = await working();
    made.connection.send('s0', call('task'), call('r'), change('r', { parentCallId: 'task' }));
    made.connection.send('s0', call('self', { parentCallId: 'self' }));
    made.connection.send('s0', call('lost', { parentCallId: 'never reported' }));
    assert.equal(shown(made), 'task, r, self, lost');
  });

  it('SUB-2: a call that names a session is drawn with that subagent', async () => {
    const made = await working();
    made.connection.send('s0', call('task'), announced('look'));
    made.connection.send('s0', change('task', { subagentIds: ['look', 'unknown'] }));
    assert.equal(subagentsIn(made.session.transcript.entries)[0]?.call, 1);
  });

  it('SUB-4: a message between sessions is shown once, with the subagent', async () => {
    const made = await working();
    const { connection } = made;
    const content = [{ type: 'text', text: 'Look' } as const];
    const message = { sessionUpdate: 'session_message', messageId: 'm' } as const;
    const ids = { senderSessionId: 's0', recipientSessionId: 'look' };
    connection.send('s0', announced('look'), { ...message, ...ids, content });
    connection.send('look', { ...message, ...ids, content });
    const chunk = { sessionUpdate: 'session_message_chunk', messageId: 'm' } as const;
    connection.send('look', { ...chunk, content: { type: 'text', text: ' around' } });
    connection.send('look', call('r'), { ...message, senderSessionId: 's0' });
    assert.equal(shown(made), 'look running(Look around, r)');
    connection.send('look', { ...message, content: [{ type: 'text', text: 'Look again' }] });
    const back = { senderSessionId: 'look', recipientSessionId: 's0' };
    connection.send('look', { ...message, messageId: 'n', ...back, content });
    assert.equal(shown(made), 'look running(Look again, r, Look)');
    const [entry] = subagentsIn(made.session.transcript.entries);
    assert.deepEqual(
      entry?.entries.map(({ kind }) => kind),
      ['user', 'toolCall', 'agent'],
    );
  });

  it('SUB-5: updates that come before the announcement are shown with it; without one, nowhere', async () => {
    const made = await working();
    made.connection.send('look', agent('early'));
    made.connection.send('stranger', agent('never announced'));
    made.connection.send('s0', announced('look'));
    assert.equal(shown(made), 'look running(early)');
  });

  it('SUB-5: nobody is their own ancestor, and an owner never changes', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', announced('s0'), announced('a'), announced('a'));
    connection.send('a', announced('a', { title: 'itself' }), announced('b'), announced('s0'));
    connection.send('b', announced('a', { title: 'its grandparent' }), announced('b'));
    connection.send('s0', announced('b', { title: 'taken over' }));
    assert.equal(shown(made), 'a running(b running())');
  });

  it('SUB-5, SEC-65: a session that the user has open is nobody’s subagent', async () => {
    const made = await working();
    const other = made.sessions.open(made.agent, info('other'));
    await other.load();
    made.connection.send('s0', announced('other'));
    made.connection.send('other', agent('mine'));
    assert.equal(shown(made), '');
    assert.deepEqual(texts(other), ['mine']);
  });

  it('SUB-5: two sessions can’t share a subagent', async () => {
    const made = await working();
    const other = made.sessions.open(made.agent, info('other'));
    await other.load();
    made.connection.send('s0', announced('a'));
    made.connection.send('other', announced('a'));
    made.connection.send('a', agent('mine'));
    assert.equal(shown(made), 'a running(mine)');
    assert.deepEqual(other.transcript.entries, []);
  });

  it('SUB-5: after a close, what subagents say is for nobody', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a'));
    await session.close();
    connection.send('a', agent('late'));
    assert.equal(await ask(connection, 'a'), undefined);
    assert.deepEqual(session.subagents.running, []);
    const again = made.sessions.open(made.agent, info('s0'));
    connection.send('s0', announced('a'));
    assert.deepEqual(again.transcript.entries, []);
  });

  it('SUB-5, SEC-96: keeps a bounded number, says how many more there are, and their questions are asked', async () => {
    const made = await working();
    const { connection, session } = made;
    const count = 2 * (maxSubagents + maxUnshownSubagents);
    for (let at = 0; at < count; at++) {
      connection.send('s0', announced(`a${at}`, { state: null }));
      connection.send(`a${at}`, agent('hi'));
    }
    const shownOnes = subagentsIn(session.transcript.entries);
    assert.equal(shownOnes.length, maxSubagents + 1);
    const rest = shownOnes.at(-1);
    assert.match(rest?.title ?? '', /^10,?000 more subagents$/);
    assert.equal(rest?.entries.length, 0);
    const answer = ask(connection, `a${maxSubagents + 5}`);
    const index = session.requests.waiting[0] ?? 0;
    const entry = session.transcript.entries[index];
    assert.ok(entry?.kind === 'permission');
    assert.equal(entry.from?.title, rest.title);
    session.requests.cancelAll();
    await answer;
  });

  it('SUB-5, SEC-96: deeper ones are shown beside the one that started them', async () => {
    const made = await working();
    let parent = 's0';
    for (let at = 0; at < 2 * maxDepth; at++) {
      made.connection.send(parent, announced(`a${at}`));
      parent = `a${at}`;
    }
    made.connection.send(parent, agent('deepest'));
    let depth = 0;
    let entries = made.session.transcript.entries;
    for (let next = subagentsIn(entries); next.length > 0; next = subagentsIn(entries)) {
      depth++;
      entries = next[0]?.entries ?? [];
    }
    assert.equal(depth, maxDepth);
    assert.match(shown(made), /deepest/);
  });

  it('SUB-6: one is stopped alone, and its questions with it, only where the agent offers that', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a', { canCancel: true }), announced('b'));
    const own = ask(connection, 's0');
    const asked = ask(connection, 'a');
    assert.equal(session.requests.waiting.length, 2);
    session.stopSubagent(2);
    session.stopSubagent(7);
    assert.deepEqual(session.requests.waiting.length, 2);
    session.stopSubagent(1);
    assert.equal(await asked, undefined);
    assert.equal(session.requests.waiting.length, 1);
    assert.deepEqual(
      connection.calls.filter((each) => each.startsWith('cancel')),
      ['cancel a'],
    );
    assert.equal(session.turns.current.kind, 'running');
    session.turns.cancel();
    await own;
  });

  it('SUB-6: one that its agent lists is neither loaded nor prompted, and keeps telling its session', async () => {
    const made = await working();
    made.connection.send('s0', announced('a'));
    const row = made.sessions.open(made.agent, info('a'));
    await row.load();
    assert.equal(row.phase.kind, 'failed');
    row.turns.submit({ text: 'hi', attachments: [] });
    await until(() => row.turns.current.kind === 'idle');
    assert.deepEqual(
      made.connection.calls.filter((each) => / a\b/.test(each)),
      [],
    );
    made.connection.send('a', agent('still here'));
    assert.equal(shown(made), 'a running(still here)');
  });

  it('SUB-7, EX-4: a request that isn’t known is in the place of the subagent that made it', async () => {
    const made = await working();
    const { connection, session } = made;
    const asked = { method: 'acme/ask', raw: '{}', sessionId: 'a' };
    connection.requests.unknownRequest(asked);
    connection.send('s0', announced('a'));
    connection.requests.unknownRequest(asked);
    const [subagent] = subagentsIn(session.transcript.entries);
    assert.deepEqual(subagent?.entries, [
      { kind: 'unknown', what: 'request', name: 'acme/ask', raw: '{}', count: 2 },
    ]);
    assert.ok(session.transcript.entries.every(({ kind }) => kind !== 'unknown'));
  });

  it('EX-4, UP-3: what two agents send at once without its being known stays bounded', async () => {
    const all = [await working(), await working()];
    for (const { connection } of all) {
      connection.send('s0', announced('a'));
    }
    const raw = 'x'.repeat(20_000);
    for (let at = 0; at < 4_000; at++) {
      for (const { connection } of all) {
        const sessionId = ['s0', 'a', `nobody ${at}`][at % 3] ?? '';
        const method = `acme/ask${at % 500}`;
        connection.requests.unknownRequest({ method, raw, ...(at % 7 > 0 && { sessionId }) });
        connection.send(sessionId, unknown(`kind${at % 500}`, raw));
        connection.send('s0', agent(' '));
      }
    }
    for (const { session } of all) {
      const [subagent] = subagentsIn(session.transcript.entries);
      for (const entries of [session.transcript.entries, subagent?.entries ?? []]) {
        const lines = entries.filter(({ kind }) => kind === 'unknown');
        assert.equal(lines.length, 20);
      }
    }
  });

  it('SUB-7: a question is asked with the names of the subagent and its parent', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', call('c', { title: 'Another call of the same id' }), announced('a'));
    connection.send('a', announced('b'));
    const answer = ask(connection, 'b');
    const index = session.requests.waiting[0] ?? 0;
    const entry = session.transcript.entries[index];
    assert.ok(entry?.kind === 'permission');
    assert.deepEqual(entry.from, { number: 2, title: 'b', parent: 'a' });
    assert.equal(entry.call, undefined);
    assert.equal(shown(made), 'c, a running(b requires_action(c)), permission');
    session.requests.answerPermission(entry.requestId, 'yes');
    assert.deepEqual(await answer, { optionId: 'yes' });
    assert.equal(shown(made), 'c, a running(b running(c)), permission');
    const form = { mode: 'form' as const, fields: [] };
    const elicited = connection.requests.elicit({ sessionId: 'a', message: '?', ask: form }, never);
    const question = session.transcript.entries.at(-1);
    assert.ok(question?.kind === 'elicitation');
    assert.deepEqual(question.from, { number: 1, title: 'a' });
    session.requests.cancelAll();
    await elicited;
  });

  it('SUB-7, SEC-65: what is allowed to a subagent is allowed to nobody else', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a'), announced('b'));
    const answer = ask(connection, 'a');
    const index = session.requests.waiting[0] ?? 0;
    const entry = session.transcript.entries[index];
    assert.ok(entry?.kind === 'permission');
    session.requests.answerPermission(entry.requestId, 'always');
    await answer;
    assert.equal(session.acts.hasLasting, false);
    assert.equal(session.hasLasting, true);
    assert.equal(session.findRequester('a')?.acts.hasLasting, true);
    assert.equal(session.findRequester('b')?.acts.hasLasting, false);
    session.askAgain();
    assert.equal(session.hasLasting, false);
  });

  it('SUB-7: a subagent without a session asks with its own name, too', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', call('task', { title: 'Review', status: 'in_progress' }));
    connection.send('s0', call('r', { parentCallId: 'task' }));
    const answer = ask(connection, 's0', 'r');
    const index = session.requests.waiting[0] ?? 0;
    const entry = session.transcript.entries[index];
    assert.ok(entry?.kind === 'permission');
    assert.equal(entry.from?.title, 'Review');
    session.requests.cancelAll();
    await answer;
  });

  it('SUB-8: one that outlives the turn keeps the session busy; when the agent goes, nobody knows', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made);
    connection.send('s0', announced('a'));
    connection.send('a', call('c', { status: 'in_progress' }));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.equal(made.session.isBusy, true);
    connection.send('a', agent('still here'));
    connection.die();
    assert.equal(made.session.isBusy, false);
    assert.equal(shown(made), 'a unknown(c, still here)');
  });

  it('changed files include those of subagents', async () => {
    const made = await working();
    const diff = { type: 'diff', path: '/a', oldText: 'a', newText: 'b' } as const;
    made.connection.send('s0', announced('a'));
    made.connection.send('a', call('e', { status: 'completed', content: [diff] }));
    assert.deepEqual(made.session.changes.files, [{ path: '/a', edits: [diff] }]);
  });

  it('50 at once, interleaved, each keep their own', async () => {
    const made = await working();
    for (let at = 0; at < 50; at++) {
      made.connection.send('s0', announced(`a${at}`));
    }
    for (let round = 0; round < 20; round++) {
      for (let at = 0; at < 50; at++) {
        made.connection.send(`a${at}`, agent(`${at} `));
      }
    }
    const all = subagentsIn(made.session.transcript.entries);
    assert.equal(made.session.subagents.running.length, 50);
    for (const [at, entry] of all.entries()) {
      assert.equal(outline(entry.entries), `${at} `.repeat(20));
    }
  });

  it('V2-SUB-1, V2-MSG-1, V2-TOOL-3: whole messages and content in pieces are those of the child', async () => {
    const made = await working();
    const piece = { type: 'content', block: { type: 'text', text: 'x' } } as const;
    made.connection.send('s0', announced('kid'), chunk('agent', 'a', 'mine'));
    made.connection.send('kid', chunk('agent', 'a', 'draft'), whole('agent', 'a', 'final'));
    made.connection.send('kid', {
      sessionUpdate: 'tool_call_content_chunk',
      ...{ toolCallId: 'c', content: [piece] },
    });
    assert.equal(shown(made), 'kid running(final, c), mine');
    assert.deepEqual(made.session.subagents.get(1)?.transcript.toolCall('c')?.content, [piece]);
  });

  it('SUB-3, V2-MSG-1, V2-TOOL-3: so are those that name the call of their subagent', async () => {
    const made = await working();
    const { connection } = made;
    const own = (update: SessionUpdate): SessionUpdate =>
      ({ ...update, parentCallId: 'task' }) as SessionUpdate;
    const piece = { type: 'content', block: { type: 'text', text: 'x' } } as const;
    const added = { sessionUpdate: 'tool_call_content_chunk', content: [piece] } as const;
    connection.send('s0', change('task', { title: 'Review', status: 'in_progress' }));
    connection.send('s0', own(whole('user', 'u', 'Look.')), own(whole('thought', 't', 'hm')));
    connection.send('s0', own(chunk('agent', 'a', 'draft')), own(whole('agent', 'a', 'final')));
    connection.send('s0', own({ ...added, toolCallId: 'c' }), { ...added, toolCallId: 'c' });
    connection.send('s0', { ...added, toolCallId: 'mine' }, whole('agent', 'b', 'done'));
    assert.equal(shown(made), 'task, Review running(Look., hm, final, c), mine, done');
    const kept = made.session.subagents.get(1)?.transcript.toolCall('c')?.content;
    assert.deepEqual(kept, [piece, piece]);
  });

  it('V2-SUB-1, V2-TURN-2: the state that a child reports is its activity, unless its parent tells one', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', { sessionUpdate: 'subagent_update', sessionId: 'kid', title: 'kid' });
    connection.send('s0', announced('told'));
    const states = (): unknown[] =>
      subagentsIn(made.session.transcript.entries).map((entry) => entry.state);
    for (const id of ['kid', 'told']) {
      connection.send(id, state('requires_action'));
    }
    assert.deepEqual(states(), [{ kind: 'requires_action' }, { kind: 'running' }]);
    assert.equal(made.session.turns.current.kind, 'running', 'it isn’t the session’s');
    connection.send('kid', state('idle', { stopReason: 'end_turn' }));
    connection.send('told', state('idle'));
    assert.deepEqual(states(), [{ kind: 'idle', stopReason: 'end_turn' }, { kind: 'running' }]);
  });
});
