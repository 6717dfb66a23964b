import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { getProgress } from '../../../../src/shared/transcript/checklist';
import type { PlanItem } from '../../../../src/shared/transcript/content';
import { agent, call, transcriptOf, user } from '../updates';

const item = (content: string, status: PlanItem['status']): PlanItem => ({
  ...{ content, status, priority: 'medium' },
});
const plan = (planId: string | undefined, ...items: readonly PlanItem[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  ...(planId !== undefined && { planId }),
  entries: items,
});
const names = (...updates: readonly SessionUpdate[]): readonly string[] | undefined =>
  transcriptOf(...updates).checklist?.map(({ content }) => content);

describe('the checklist of a session', () => {
  const one = item('one', 'pending');
  const two = item('two', 'completed');

  it('PL-1: is that of the plan that was last sent, wherever that is in the transcript', () => {
    assert.deepEqual(names(user('go'), plan('a', one), agent('x'), plan('b', two)), ['two']);
    assert.deepEqual(names(user('go'), plan('a', one), plan('b', two), plan('a', two, one)), [
      'two',
      'one',
    ]);
  });

  it('PL-1: is that of the agent’s to-do tool', () => {
    const rawInput = { todos: [{ content: 'one', status: 'in_progress' }] };
    assert.deepEqual(names(plan('a', two), call('c', { rawInput })), ['one']);
    assert.deepEqual(names(plan('a', two), call('c', { rawInput: { todos: 'none' } })), ['two']);
  });

  it('PL-1: is gone with its plan, and with the next prompt', () => {
    const removed: SessionUpdate = { sessionUpdate: 'plan_removed', planId: 'a' };
    assert.equal(names(plan('a', one), removed), undefined);
    assert.deepEqual(names(plan('a', one), plan('b', two), removed), ['two']);
    assert.equal(names(user('go'), plan('a', one), agent('done'), user('more')), undefined);
    const text: SessionUpdate = {
      ...{ sessionUpdate: 'plan', planId: 'p', entries: [] },
      blocks: [{ type: 'text', text: '# Plan' }],
    };
    assert.deepEqual(names(plan('a', one), text), ['one']);
  });

  it('PL-3: says what is done, what is being done, and otherwise what is next', () => {
    assert.deepEqual(getProgress([two, one, item('three', 'in_progress')]), {
      ...{ done: 1, count: 3, now: 'three' },
    });
    assert.deepEqual(getProgress([two, one]), { done: 1, count: 2, now: 'one' });
    assert.deepEqual(getProgress([two, item('x', 'cancelled')]), { done: 1, count: 2 });
  });
});
