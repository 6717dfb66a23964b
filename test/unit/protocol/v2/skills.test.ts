import assert from 'node:assert/strict';
import { withSkill } from '../../../../src/model/session/promptBlocks';
import { maxTitle } from '../../../../src/protocol/bounds';
import { promptParams } from '../../../../src/protocol/shapes/sessions/sessionParams';
import { readCommands } from '../../../../src/protocol/v2/readLists';
import type { Block } from '../../../../src/shared/transcript/content';
import { allCapabilities } from '../../model/fakes';

describe('skills', () => {
  const review = { type: 'skill', name: 'review', description: 'Reviews', path: '/s/SKILL.md' };
  const skill = { name: 'review', description: 'Reviews', skill: true } as const;

  it('T-91: are read as commands of their own kind', () => {
    const plan = { name: 'plan', description: 'Plans', input: { type: 'text', hint: 'what' } };
    assert.deepEqual(readCommands([review, plan, { ...review, input: { hint: 'x' } }]), [
      skill,
      { name: 'plan', description: 'Plans', hint: 'what' },
      skill,
    ]);
  });

  it('T-91: those that can’t be named are left out, and texts of twice the length are cut', () => {
    const [long] = readCommands([{ ...review, description: 'x'.repeat(2 * maxTitle) }]) ?? [];
    assert.equal(long?.description.length, maxTitle);
    const unnamed = ['two words', '', 7, 'x'.repeat(2 * maxTitle)];
    assert.deepEqual(readCommands([review, ...unnamed.map((name) => ({ ...review, name }))]), [
      skill,
    ]);
  });

  const sent = (text: string, promptSkill = true): object[] => {
    const blocks: readonly Block[] = [
      { type: 'text', text },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ];
    const commands = [skill, { name: 'plan', description: '' }];
    return promptParams(withSkill(blocks, commands), { ...allCapabilities, promptSkill });
  };

  it('T-91: are sent by their names at the beginning of a prompt, and what follows as text', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const block = { type: 'skill', name: 'review' };
    assert.deepEqual(sent('/review the cart'), [block, { type: 'text', text: 'the cart' }, link]);
    assert.deepEqual(sent('/review\nall'), [block, { type: 'text', text: 'all' }, link]);
    assert.deepEqual(sent('/review'), [block, link]);
  });

  it('T-91: stay text for an agent that doesn’t take them, as commands and other words do', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    assert.deepEqual(sent('/review the cart', false), [
      { type: 'text', text: '/review the cart' },
      link,
    ]);
    for (const text of ['/plan it', '/reviews', 'first /review', '/ review']) {
      assert.deepEqual(sent(text), [{ type: 'text', text }, link]);
    }
  });
});
