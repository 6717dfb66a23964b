import assert from 'node:assert/strict';
import { callAbove } from '../../../../src/model/transcript/callAbove';
import type { Entry } from '../../../../src/shared/transcript/entries';

const says = (kind: 'user' | 'agent'): Entry => ({ kind, blocks: [{ type: 'text', text: 'x' }] });
const call = (toolCallId: string): Entry => ({
  kind: 'toolCall',
  toolCallId,
  title: toolCallId,
  toolKind: 'edit',
  status: 'pending',
  content: [],
  locations: [],
});
const some = (count: number): Entry[] => Array.from({ length: count }, () => says('agent'));

describe('the call that a question is drawn with', () => {
  it('PE-6: is the one with its id, be there a few entries in between', () => {
    assert.equal(callAbove([says('user'), call('a')], 'a'), 1);
    assert.equal(callAbove([call('a'), call('b'), call('c')], 'a'), 0);
    assert.equal(callAbove([call('a'), ...some(15)], 'a'), 0);
  });

  it('PE-6: is none that is unknown, far away or of an earlier turn', () => {
    assert.equal(callAbove([call('a')], 'b'), undefined);
    assert.equal(callAbove([], 'a'), undefined);
    assert.equal(callAbove([call('a'), ...some(16)], 'a'), undefined);
    assert.equal(callAbove([call('a'), says('user'), says('agent')], 'a'), undefined);
  });
});
