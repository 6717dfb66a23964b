import assert from 'node:assert/strict';
import { getModeChoices } from '../../../../../src/features/plans/model/modeChoices';
import { getPlanDraft } from '../../../../../src/features/plans/model/planDraft';
import { getPlanText } from '../../../../../src/features/plans/model/planText';
import type { ConfigOption, SessionModes } from '../../../../../src/shared/transcript/config';
import type { PlanEntry } from '../../../../../src/shared/transcript/entries';

const item = (content: string, status: PlanEntry['items'][number]['status']) =>
  ({ content, status, priority: 'medium' }) as const;
const text = (value: string): PlanEntry => ({
  kind: 'plan',
  items: [],
  blocks: [{ type: 'text', text: value }],
});

describe('a plan as a document', () => {
  it('PL-4: a text is as the agent has written it', () => {
    assert.equal(getPlanText(text('# Plan\n\n1. Look\n')), '# Plan\n\n1. Look\n');
  });

  it('PL-4: a list is a checklist, one line for each item', () => {
    const items = [
      item('Read', 'completed'),
      item('Write\n# and more', 'in_progress'),
      item('Ask', 'cancelled'),
      item('Tell', 'pending'),
    ];
    assert.equal(
      getPlanText({ kind: 'plan', items }),
      '- [x] Read\n- [ ] Write # and more (In progress)\n- [ ] Ask (Canceled)\n- [ ] Tell',
    );
  });

  it('PL-4: is attached to a prompt, up to a length', () => {
    const draft = getPlanDraft(text('x'.repeat(400_000)));
    assert.equal(draft.text, 'Carry out this plan.');
    const [attachment] = draft.attachments;
    assert.equal(attachment?.type === 'text' && attachment.text.length, 200_000);
  });
});

describe('the modes in which a plan can be continued', () => {
  const set: string[] = [];
  const session = (
    modes: SessionModes | undefined,
    configOptions: readonly ConfigOption[] = [],
  ) => ({
    facts: { modes, configOptions },
    setMode: (id: string) => Promise.resolve(void set.push(`mode ${id}`)),
    setConfigOption: (id: string, value: string | boolean) =>
      Promise.resolve(void set.push(`${id} ${value}`)),
  });
  const modes = { currentModeId: 'plan', modes: ['plan', 'act'].map((id) => ({ id, name: id })) };

  it('MO-1: are those of the option that stands for the mode, otherwise the modes', async () => {
    const option: ConfigOption = {
      ...{ type: 'select', id: 'm', name: 'Mode', category: 'mode', value: 'b' },
      groups: [{ choices: ['a', 'b'].map((value) => ({ value, name: value })) }],
    };
    for (const choices of [
      getModeChoices(session(modes)),
      getModeChoices(session(modes, [option])),
    ]) {
      for (const { set: choose } of choices) {
        await choose?.();
      }
    }
    assert.deepEqual(set, ['mode act', 'm a']);
    assert.deepEqual(getModeChoices(session(undefined)), []);
  });
});
