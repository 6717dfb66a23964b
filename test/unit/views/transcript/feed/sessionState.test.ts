import assert from 'node:assert/strict';
import type { SessionState } from '../../../../../src/shared/transcript/webviewMessages';
import {
  getSessionState,
  offersMore,
  type StateSource,
  sameState,
} from '../../../../../src/views/transcript/feed/sessionState';

function source(commands: readonly { name: string; description: string }[] = []): StateSource {
  return {
    writable: { kind: 'yes' },
    turns: { current: { kind: 'idle' }, queue: [] },
    requests: { waiting: [3] },
    facts: { commands, configOptions: [], modes: undefined, suggestedPrompts: [] },
    tasks: { all: undefined },
    agent: { supports: (capability: string) => capability === 'promptImage' },
    elsewhere: { wentOn: false },
    shown: {},
  } as unknown as StateSource;
}

describe('state of a session for its webview', () => {
  it('CO-2: says whether the agent takes images', () => {
    const state = getSessionState(source(), [], []);
    assert.equal(state.takesImages, true);
    assert.deepEqual(state.waiting, [3]);
    assert.ok(!('modes' in state) && !('usage' in state));
  });

  it('says of a session that went on elsewhere whether it can be read again', () => {
    assert.equal(getSessionState(source(), [], []).wentOn, undefined);
    const moved: StateSource = { ...source(), elsewhere: { wentOn: true } };
    assert.deepEqual(getSessionState(moved, [], []).wentOn, { canReload: false });
    assert.ok(!sameState(getSessionState(source(), [], []), getSessionState(moved, [], [])));
  });

  it('bounds a list of commands that is half a megabyte long', () => {
    const commands = Array.from({ length: 3000 }, (_, index) => ({
      name: `c${index}`,
      description: 'x'.repeat(10_000),
    }));
    const state = getSessionState(source(commands), [], []);
    assert.ok(JSON.stringify(state).length < 500_000);
    assert.equal(state.commands[0]?.name, 'c0');
    assert.equal(getSessionState(source(commands), [], []).commands, state.commands, 'made once');
  });

  it('MO-2: has only whole ids of modes, however long they are', () => {
    const modes = Array.from({ length: 2000 }, (_, at) => ({
      id: `${at}${'\u0001'.repeat(8000)}`,
      name: 'Mode',
    }));
    const facts = {
      commands: [],
      configOptions: [],
      modes: { currentModeId: modes[0]?.id, modes },
      suggestedPrompts: [],
    };
    const state = getSessionState({ ...source(), facts } as unknown as StateSource, [], []);
    const shown = state.modes?.modes ?? [];
    assert.ok(shown.length > 0 && JSON.stringify(state.modes).length < 500_000);
    assert.deepEqual(shown, modes.slice(0, shown.length));
    assert.equal(state.modes?.currentModeId, modes[0]?.id);
  });

  it('bounds each part, whatever an agent offers, and knows that there is more', () => {
    const long = 'x'.repeat(5_000_000);
    const choices = Array.from({ length: 100_000 }, (_, at) => ({ value: `${at}`, name: 'n' }));
    const option = { id: 'o', name: long, type: 'select', value: '1', groups: [{ choices }] };
    const modes = choices.map(({ value }) => ({ id: value, name: long.slice(0, 300) }));
    const image = { type: 'image', name: 'a.png', mimeType: 'image/png', data: long } as const;
    const own: StateSource = {
      ...source([{ name: 'c', description: 'd' }]),
      turns: {
        current: { kind: 'idle' },
        queue: [{ id: 1, draft: { text: long, attachments: [image] } }],
      },
      facts: {
        commands: [],
        configOptions: [option],
        modes: { currentModeId: '1', modes },
        suggestedPrompts: [],
      },
    } as unknown as StateSource;
    const files = choices.map(() => ({ path: long, label: long, added: 1, removed: 1 }));
    const state: SessionState = getSessionState(own, files, []);
    assert.ok(JSON.stringify(state).length < 2_000_000);
    assert.equal(state.queue[0]?.draft.attachments.length, 1);
    assert.ok(state.modes?.currentModeId === '1' && state.modes.modes.length > 0);
    assert.ok(offersMore(own));
    assert.ok(!offersMore(source()));
    assert.equal(getSessionState(own, files, []).configOptions, state.configOptions, 'made once');
  });

  it('T-93: has suggested prompts while nothing runs', () => {
    const own = source();
    const facts = { ...own.facts, suggestedPrompts: ['Run the tests'] };
    const idle = getSessionState({ ...own, facts }, [], []);
    assert.deepEqual(idle.suggestedPrompts, ['Run the tests']);
    assert.ok(!sameState(idle, getSessionState(own, [], [])));
    const current = { kind: 'background', began: 1 } as const;
    const busy = { ...own, facts, turns: { current, queue: [] } };
    assert.equal(getSessionState(busy, [], []).suggestedPrompts, undefined);
  });

  it('tells equal states from different ones', () => {
    const state = getSessionState(source(), [], []);
    assert.ok(sameState(state, getSessionState(source(), [], [])));
    assert.ok(!sameState(state, { ...state, waiting: [] }));
    assert.ok(!sameState(state, { ...state, usage: { used: 1, size: 2 } }));
    assert.ok(!sameState(undefined, state));
  });
});
