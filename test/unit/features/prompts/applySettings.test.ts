import assert from 'node:assert/strict';
import { applySettings } from '../../../../src/features/prompts/applySettings';
import type { Session } from '../../../../src/model/session/session';
import type { ConfigOption, SessionModes } from '../../../../src/shared/transcript/config';

const model: ConfigOption = {
  id: 'model',
  name: 'Model',
  type: 'select',
  value: 'small',
  groups: [{ choices: [{ value: 'large', name: 'Large' }] }],
};
const web: ConfigOption = { id: 'web', name: 'Web', type: 'boolean', value: false };
const modes: SessionModes = { currentModeId: 'ask', modes: [{ id: 'code', name: 'Code' }] };

function sessionWith(facts: { configOptions?: readonly ConfigOption[]; modes?: SessionModes }) {
  const done: string[] = [];
  const session = {
    agent: { title: 'Agent' },
    facts: { configOptions: [], ...facts },
    setMode: (id: string) => {
      done.push(`mode ${id}`);
      return Promise.resolve();
    },
    setConfigOption: (id: string, value: string | boolean) => {
      done.push(`${id} ${String(value)}`);
      return value === 'refused' ? Promise.reject(new Error('no')) : Promise.resolve();
    },
  } as unknown as Session;
  return { session, done };
}

describe('settings before a prompt', () => {
  it('CF-8, MO-3: are set where they are others than now, and nothing else is', async () => {
    const { session, done } = sessionWith({ configOptions: [model, web] });
    const wanted = new Map([
      ['model', 'large'],
      ['web', 'true'],
      ['colour', 'red'],
      ['session', 's1'],
    ]);
    assert.equal(await applySettings(session, wanted), undefined);
    assert.deepEqual(done, ['model large', 'web true']);
    assert.equal(await applySettings(session, new Map([['model', 'small']])), undefined);
    assert.equal(done.length, 2);
  });

  it('MO-1: `mode` is the session’s mode, or the option that stands for it', async () => {
    const { session, done } = sessionWith({ modes });
    await applySettings(session, new Map([['mode', 'code']]));
    assert.deepEqual(done, ['mode code']);
    const optional = sessionWith({ configOptions: [{ ...model, category: 'mode' }] });
    await applySettings(optional.session, new Map([['mode', 'large']]));
    assert.deepEqual(optional.done, ['model large']);
  });

  it('CF-8: say what was refused', async () => {
    const { session } = sessionWith({ configOptions: [model] });
    assert.equal(
      await applySettings(session, new Map([['model', 'refused']])),
      'Agent didn’t accept “refused” for “model”.',
    );
  });
});
