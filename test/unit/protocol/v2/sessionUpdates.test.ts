import assert from 'node:assert/strict';
import { normalise } from './normalised';

describe('states of version 2', () => {
  const state = (fields: object): unknown =>
    normalise({ sessionUpdate: 'state_update', ...fields });
  const read = (fields: object): unknown => ({ sessionUpdate: 'state_update', ...fields });

  it('known ones are told, any other is unknown (V2-TURN-2, V2-TURN-9, V2-TURN-10)', () => {
    for (const known of ['running', 'requires_action', 'idle', 'unknown']) {
      assert.deepEqual(state({ state: known }), read({ state: known }));
    }
    for (const other of ['_dreaming', 'future', '']) {
      assert.deepEqual(state({ state: other }), read({ state: 'unknown' }));
    }
    assert.equal(state({ state: 7 }), 'state_update without a state');
  });

  it('an idle one may have a reason, and an error with it (V2-TURN-3 to V2-TURN-5)', () => {
    for (const stopReason of ['end_turn', '_vendor', 'future']) {
      assert.deepEqual(state({ state: 'idle', stopReason }), read({ state: 'idle', stopReason }));
    }
    for (const stopReason of [null, 7, {}, '']) {
      assert.deepEqual(state({ state: 'idle', stopReason }), read({ state: 'idle' }));
    }
    const failed = { state: 'idle', stopReason: 'error' };
    const error = { code: -32603, message: 'No disk' };
    assert.deepEqual(state({ ...failed, error }), read({ ...failed, error }));
    assert.deepEqual(
      state({ ...failed, error: { code: 'x' } }),
      read({ ...failed, error: { message: '' } }),
    );
    assert.deepEqual(state({ ...failed, error: null }), read(failed));
    assert.deepEqual(state({ ...failed, state: 'running', error }), read({ state: 'running' }));
  });

  it('work in the background is told, whatever it is; a malformed list is none (V2-TURN-12)', () => {
    const twice = { type: 'terminal', terminalId: 'x' };
    const items = [twice, { type: '_odd' }, { type: 'future' }, twice, { type: '_odd' }];
    const known = [
      { type: 'terminal', terminalId: 'x' },
      { type: 'other', name: '_odd' },
      { type: 'other', name: 'future' },
      { type: 'other', name: '_odd' },
    ];
    assert.deepEqual(
      state({ state: 'idle', background: items }),
      read({ state: 'idle', background: known }),
    );
    assert.deepEqual(
      state({
        ...{ state: 'idle' },
        background: [
          ...[
            { type: 'tool_call', toolCallId: 'c' },
            { type: 'subagent', sessionId: 's' },
          ],
          ...[{ type: 'terminal' }, {}],
        ],
      }),
      read({
        ...{ state: 'idle' },
        background: [
          ...[
            { type: 'toolCall', toolCallId: 'c' },
            { type: 'subagent', sessionId: 's' },
          ],
          ...[
            { type: 'other', name: 'terminal' },
            { type: 'other', name: 'untyped' },
          ],
        ],
      }),
    );
    assert.deepEqual(
      state({ state: 'idle', background: [] }),
      read({ state: 'idle', background: [] }),
    );
    for (const background of [null, undefined, 3, {}, [null], [...items, 'x']]) {
      assert.deepEqual(state({ state: 'running', background }), read({ state: 'running' }));
    }
  });
});

describe('terminals of version 2', () => {
  const update = { sessionUpdate: 'terminal_update', terminalId: 'x' };

  it('what an update omits stays, null clears, a value replaces (V2-TERM-1, V2-TERM-2)', () => {
    const fields = { command: 'npm test', cwd: '/w' };
    assert.deepEqual(
      normalise({ ...update, ...fields, output: { data: 'AAAA' }, exitStatus: { exitCode: 1 } }),
      { ...update, ...fields, output: 'AAAA', exit: { exitCode: 1, signal: null } },
    );
    const nulls = { command: null, cwd: null, output: null };
    assert.deepEqual(normalise({ ...update, ...nulls, exitStatus: null }), {
      ...update,
      ...nulls,
      exit: null,
    });
    const broken = { command: 7, cwd: {}, output: 'AAAA', exitStatus: 0 };
    assert.deepEqual(normalise({ ...update, ...broken }), update);
    assert.deepEqual(normalise({ ...update, output: { data: 7 } }), update);
  });

  it('an exit is one without a code or signal, and codes may be negative (V2-TERM-5)', () => {
    const exit = (exitStatus: unknown): unknown =>
      (normalise({ ...update, exitStatus }) as { exit: unknown }).exit;
    assert.deepEqual(exit({}), { exitCode: null, signal: null });
    assert.deepEqual(exit({ exitCode: -1073741510 }), { exitCode: -1073741510, signal: null });
    assert.deepEqual(exit({ exitCode: null, signal: 'SIGKILL' }), {
      exitCode: null,
      signal: 'SIGKILL',
    });
    assert.deepEqual(exit({ exitCode: 'x', signal: 9 }), { exitCode: null, signal: null });
  });

  it('a chunk is passed on as it is (V2-TERM-3)', () => {
    const chunk = { sessionUpdate: 'terminal_output_chunk', terminalId: 'x', data: '4pyT' };
    assert.deepEqual(normalise(chunk), chunk);
    assert.match(String(normalise({ ...chunk, data: 7 })), /without id or data/);
  });
});
