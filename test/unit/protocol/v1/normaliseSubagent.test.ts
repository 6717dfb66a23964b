import assert from 'node:assert/strict';
import { entryUpdates } from '../../../../src/protocol/v1/entryUpdates';
import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';
import { transcriptOf } from '../../model/updates';
import { normalise, text } from './normalised';

describe('Subagents on the wire', () => {
  it('SUB-1: an update is a patch: absent fields are unchanged, null clears', () => {
    const sessionUpdate = 'subagent_update';
    assert.deepEqual(
      normalise({
        sessionUpdate,
        sessionId: 'c',
        title: 'Look',
        description: null,
        capabilities: { cancel: {} },
        state: { state: 'running' },
      }),
      {
        sessionUpdate,
        sessionId: 'c',
        title: 'Look',
        description: null,
        canCancel: true,
        state: { kind: 'running' },
      },
    );
    assert.deepEqual(
      normalise({ sessionUpdate, sessionId: 'c', capabilities: null, state: null, title: 7 }),
      { sessionUpdate, sessionId: 'c', canCancel: false, state: null },
    );
  });

  for (const [state, read] of [
    [{ state: 'requires_action' }, { kind: 'requires_action' }],
    [{ state: 'unknown' }, { kind: 'unknown' }],
    [{ state: '_paused' }, { kind: 'unknown' }],
    [
      { state: 'idle', stopReason: 'end_turn' },
      { kind: 'idle', stopReason: 'end_turn' },
    ],
    [{ state: 'idle', stopReason: null }, { kind: 'idle' }],
    [
      { state: 'idle', stopReason: 'error', error: { code: 1, message: 'No disk' } },
      { kind: 'idle', stopReason: 'error', error: 'No disk' },
    ],
    [
      { state: 'idle', error: {} },
      { kind: 'idle', error: '' },
    ],
  ] as const) {
    it(`SUB-1: reads the state ${JSON.stringify(state)}`, () => {
      const update = { sessionUpdate: 'subagent_update', sessionId: 'c' };
      assert.deepEqual(normalise({ ...update, state }), { ...update, state: read });
    });
  }

  it('SUB-1: reads the earlier draft as the same', () => {
    const spawned = {
      sessionUpdate: 'subagent_spawned',
      subagentSessionId: 'c',
      name: 'Look',
      task: 'Look around',
      capabilities: { cancel: true },
    };
    const sessionUpdate = 'subagent_update';
    assert.deepEqual(normalise(spawned), {
      sessionUpdate,
      sessionId: 'c',
      title: 'Look',
      description: 'Look around',
      canCancel: true,
      state: { kind: 'running' },
    });
    const states = {
      completed: { kind: 'idle', stopReason: 'end_turn' },
      failed: { kind: 'idle', error: '' },
      cancelled: { kind: 'idle', stopReason: 'cancelled' },
      disconnected: { kind: 'unknown' },
    };
    for (const [state, read] of Object.entries(states)) {
      const update = { sessionUpdate: 'subagent_state_update', subagentSessionId: 'c', state };
      assert.deepEqual(normalise(update), { sessionUpdate, sessionId: 'c', state: read });
    }
  });

  for (const update of [
    { sessionUpdate: 'subagent_update' },
    { sessionUpdate: 'subagent_update', sessionId: '' },
    { sessionUpdate: 'subagent_update', sessionId: 'c'.repeat(10_000) },
    { sessionUpdate: 'subagent_spawned', name: 'Look' },
    { sessionUpdate: 'subagent_state_update', subagentSessionId: 'c', state: 7 },
    { sessionUpdate: 'session_message', content: [] },
    { sessionUpdate: 'session_message_chunk', messageId: 'm' },
  ]) {
    it(`gives a reason for ${JSON.stringify(update).slice(0, 80)}`, () => {
      assert.equal(typeof normaliseUpdate({ sessionId: 's', update }), 'string');
    });
  }

  it('SUB-2: a link to a session in a call is no content of an unknown kind', () => {
    const content = [
      { type: 'session', sessionId: 'c' },
      { type: 'content', content: text('done') },
    ];
    assert.deepEqual(normalise({ sessionUpdate: 'tool_call_update', toolCallId: 't', content }), {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      content: [{ type: 'content', block: text('done') }],
      subagentIds: ['c'],
    });
  });

  it('SUB-3: reads whose call an update belongs to, in calls and in messages', () => {
    const _meta = { claudeCode: { parentToolUseId: 'task' } };
    assert.deepEqual(normalise({ sessionUpdate: 'tool_call', toolCallId: 't', _meta }), {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      parentCallId: 'task',
    });
    const chunk = { sessionUpdate: 'agent_message_chunk', content: text('hi') };
    assert.deepEqual(normalise({ ...chunk, _meta }), { ...chunk, parentCallId: 'task' });
    for (const odd of [null, 7, { claudeCode: null }, { claudeCode: { parentToolUseId: '' } }]) {
      assert.deepEqual(normalise({ ...chunk, _meta: odd }), chunk);
    }
  });

  it('is written as updates that read the same again', () => {
    const transcript = transcriptOf();
    const { number, transcript: inner } = transcript.nest();
    inner.apply({ sessionUpdate: 'agent_message_chunk', content: text('found it') });
    transcript.add({
      kind: 'subagent',
      number,
      sessionId: 'c',
      title: 'Look',
      state: { kind: 'idle', error: 'No disk' },
      entries: inner.entries,
      calls: inner.calls,
    });
    const written = transcript.entries.flatMap((entry) => entryUpdates(entry, 's'));
    assert.deepEqual(written.map(normaliseUpdate), [
      {
        sessionId: 's',
        update: {
          sessionUpdate: 'subagent_update',
          sessionId: 'c',
          title: 'Look',
          state: { kind: 'idle', stopReason: 'error', error: 'No disk' },
        },
      },
      {
        sessionId: 'c',
        update: { sessionUpdate: 'agent_message_chunk', content: text('found it') },
      },
    ]);
  });
});
