import assert from 'node:assert/strict';
import { withSkills } from '../../../../src/model/session/promptBlocks';
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

  const sent = (text: string, promptSkill = true, promptSkillInline = false): object[] => {
    const blocks: readonly Block[] = [
      { type: 'text', text },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ];
    const commands = [skill, { name: 'plan', description: '' }];
    return promptParams(withSkills(blocks, commands), {
      ...allCapabilities,
      ...{ promptSkill, promptSkillInline },
    });
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

  it('T-91: anywhere, and any number of them, for an agent that takes them so', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const block = { type: 'skill', name: 'review' };
    const text = (words: string) => ({ type: 'text', text: words });
    for (const [written, ...blocks] of [
      [
        'first /review the cart,\nthen\n/review it',
        text('first'),
        block,
        text('the cart,\nthen'),
        block,
        text('it'),
      ],
      ['/review /review', block, block],
      ['now /review', text('now'), block],
      ['see /reviews, a/review and /review.', text('see /reviews, a/review and /review.')],
      ['/plan it', text('/plan it')],
    ] as const) {
      assert.deepEqual(sent(written, true, true), [...blocks, link]);
    }
    const many = sent('/review '.repeat(10_000), true, true);
    assert.equal(many.length, 10_001);
  });
});
