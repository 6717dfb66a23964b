import assert from 'node:assert/strict';
import { EntryList } from '../../../../src/model/transcript/entryList';
import type { MessageEntry } from '../../../../src/shared/transcript/entries';

describe('the entries of a transcript', () => {
  it('find a message as its agent has sent it after it has moved', () => {
    const list = new EntryList();
    const says = (kind: 'user' | 'agent', text: string): MessageEntry => ({
      kind,
      blocks: [{ type: 'text', text }],
    });
    const sent = says('user', '<command-name>/model</command-name>');
    list.push(says('agent', 'first'));
    list.push(says('user', '/model'));
    list.written.set(1, sent);
    list.reorder(0, [1, 0]);
    assert.equal(list.writtenAt(0), sent);
    assert.deepEqual(list.writtenAt(1), says('agent', 'first'));
  });
});
