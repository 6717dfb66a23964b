import assert from 'node:assert/strict';
import { FirstOptions } from '../../../../src/model/session/firstOptions';
import type { ConfigOption } from '../../../../src/shared/transcript/config';

const select = (id: string, category: string, ...values: readonly string[]): ConfigOption => ({
  ...{ id, category, name: id, type: 'select', value: values[0] ?? '' },
  groups: [{ choices: values.map((value) => ({ value, name: value })) }],
});
const model = select('llm', 'model', 'oak', 'fern');
const mode = select('mode', 'mode', 'ask', 'plan');
const modes = { currentModeId: 'ask', modes: ['ask', 'plan'].map((id) => ({ id, name: id })) };
const shown = (options: readonly ConfigOption[]) =>
  Object.fromEntries(options.map(({ id, value }) => [id, value]));

describe('The options of a session before it exists', () => {
  it('T-140: are those with a choice, with the values that they have, the last of which counts', () => {
    const told = new FirstOptions({ configOptions: [mode, model, select('one', 'x', 'only')] });
    assert.deepEqual(shown(told.withValues()), { mode: 'ask', llm: 'oak' });
    assert.deepEqual(shown(told.withValues({ model: 'fern', mode: 'none', x: 'y' })), {
      ...{ mode: 'ask', llm: 'fern' },
    });
    assert.deepEqual(shown(told.withValues({ model: 'fern' }, { llm: 'oak' }))['llm'], 'oak');
  });

  it('T-140: only changes are sent, and defaults of other options are tried later', () => {
    const told = new FirstOptions({ configOptions: [mode, model] });
    const defaults = { model: 'fern', effort: 'high' };
    assert.deepEqual(told.beginWith(told.withValues(defaults), defaults), {
      sent: { llm: 'fern' },
      wanted: { effort: 'high', llm: 'fern' },
    });
    // The user has chosen what the agent begins with anyway, not their own default.
    assert.deepEqual(told.beginWith(told.withValues(defaults, { llm: 'oak' }), defaults), {
      sent: {},
      wanted: { effort: 'high' },
    });
  });

  it('T-140: modes and models that aren’t options are never sent', () => {
    const models = {
      currentModelId: 'oak',
      models: [
        { value: 'oak', name: 'Oak' },
        { value: 'fern', name: 'Fern' },
      ],
    };
    const told = new FirstOptions({ modes, models });
    const chosen = told.withValues({ mode: 'plan', model: 'fern' });
    assert.deepEqual(told.beginWith(chosen, {}), {
      sent: {},
      wanted: { mode: 'plan', model: 'fern' },
    });
    assert.deepEqual(shown(new FirstOptions({ modes, configOptions: [model] }).withValues()), {
      llm: 'oak',
    });
  });
});
