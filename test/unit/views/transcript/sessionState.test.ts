import assert from 'node:assert/strict';
import {
  type StateSource,
  sameState,
  sessionStateOf,
} from '../../../../src/views/transcript/sessionState';

function source(commands: readonly { name: string; description: string }[] = []): StateSource {
  return {
    writable: { kind: 'yes' },
    turn: { kind: 'idle' },
    queue: [],
    waiting: [3],
    facts: { commands, configOptions: [], modes: undefined, usage: undefined },
    agent: { supports: (capability: string) => capability === 'promptImage' },
    elsewhere: { wentOn: false },
  } as unknown as StateSource;
}

describe('state of a session for its webview', () => {
  it('CO-2: says whether the agent takes images', () => {
    const state = sessionStateOf(source(), [], []);
    assert.equal(state.takesImages, true);
    assert.deepEqual(state.waiting, [3]);
    assert.ok(!('modes' in state) && !('usage' in state));
  });

  it('says of a session that went on elsewhere whether it can be read again', () => {
    assert.equal(sessionStateOf(source(), [], []).wentOn, undefined);
    const moved: StateSource = { ...source(), elsewhere: { wentOn: true } };
    assert.deepEqual(sessionStateOf(moved, [], []).wentOn, { canReload: false });
    assert.ok(!sameState(sessionStateOf(source(), [], []), sessionStateOf(moved, [], [])));
  });

  it('bounds a list of commands that is half a megabyte long', () => {
    const commands = Array.from({ length: 3000 }, (_, index) => ({
      name: `c${index}`,
      description: 'x'.repeat(10_000),
    }));
    const state = sessionStateOf(source(commands), [], []);
    assert.ok(JSON.stringify(state).length < 500_000);
    assert.equal(state.commands[0]?.name, 'c0');
    assert.equal(sessionStateOf(source(commands), [], []).commands, state.commands, 'made once');
  });

  it('tells equal states from different ones', () => {
    const state = sessionStateOf(source(), [], []);
    assert.ok(sameState(state, sessionStateOf(source(), [], [])));
    assert.ok(!sameState(state, { ...state, waiting: [] }));
    assert.ok(!sameState(state, { ...state, usage: { used: 1, size: 2 } }));
    assert.ok(!sameState(undefined, state));
  });
});
