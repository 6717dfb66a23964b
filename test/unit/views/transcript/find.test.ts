import assert from 'node:assert/strict';
import type { Entry } from '../../../../src/shared/entries';
import { seekEntry } from '../../../../src/views/transcript/find';

const entries: readonly Entry[] = [
  { kind: 'user', blocks: [{ type: 'text', text: 'Where is the Größe set?' }] },
  { kind: 'thought', blocks: [{ type: 'text', text: 'I look (quickly).' }] },
  {
    kind: 'toolCall',
    toolCallId: 'c1',
    title: 'Read a file',
    toolKind: 'read',
    status: 'completed',
    content: [
      { type: 'diff', path: '/a.ts', oldText: null, newText: 'const size = 1;' },
      { type: 'terminal', terminalId: 't' },
    ],
    locations: [{ path: '/code/a.ts' }],
    rawInput: { deep: ['needle'] },
    terminalOutput: { t: 'exit code 7' },
  },
  { kind: 'plan', items: [{ content: 'Fix it', priority: 'high', status: 'pending' }] },
  { kind: 'user', blocks: [{ type: 'text', text: 'Thanks' }] },
];

describe('find in a transcript', () => {
  it('finds the next and the previous turn and tool call', () => {
    assert.equal(seekEntry(entries, 'turn', 'next', 0), 4);
    assert.equal(seekEntry(entries, 'turn', 'previous', 4), 0);
    assert.equal(seekEntry(entries, 'turn', 'next', 4), undefined);
    assert.equal(seekEntry(entries, 'turn', 'previous', 1_000_000), 4);
    assert.equal(seekEntry(entries, 'toolCall', 'next', 0), 2);
    assert.equal(seekEntry(entries, 'toolCall', 'previous', 2), undefined);
  });
});
