import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import { entryUpdates } from '../../../../src/protocol/v1/entryUpdates';
import type { PermissionEntry } from '../../../../src/shared/transcript/entries';
import { Outline } from '../../../../src/views/transcript/feed/outlineFeed';
import { call, change } from '../updates';

const options: PermissionEntry['options'] = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
];

type Answer = Extract<PermissionEntry['state'], { kind: 'selected' }>;

/** A tool call whose permission requests were answered like this. */
function answered(...answers: readonly (readonly [string, Answer['by']])[]): Transcript {
  const transcript = new Transcript();
  transcript.apply(call('1', { status: 'pending' }));
  for (const [optionId, by] of answers) {
    const toolCall = transcript.toolCall('1');
    assert.ok(toolCall);
    const asked = { kind: 'permission', requestId: 1, toolCall, options } as const;
    const index = transcript.add({ ...asked, state: { kind: 'waiting' } });
    transcript.replace(index, { ...asked, state: { kind: 'selected', optionId, by } });
  }
  return transcript;
}

describe('A tool call that was not allowed', () => {
  it('is rejected, not failed, no matter what rejected it', () => {
    for (const answer of [
      ['no', 'person'],
      ['no', 'rule'],
      ['never', 'person'],
    ] as const) {
      const transcript = answered(answer);
      const outline = new Outline(() => transcript.entries);
      transcript.onDidChange((it) => outline.note(it));
      transcript.apply(change('1', { status: 'failed' }));
      assert.equal(transcript.toolCall('1')?.status, 'rejected');
      transcript.apply(change('1', { title: 'Said later' }));
      assert.equal(transcript.toolCall('1')?.status, 'rejected');
      assert.deepEqual(outline.marks().error, []);
    }
  });

  it('has failed when it was allowed, then or later, and is done when its agent says so', () => {
    for (const [expected, transcript] of [
      ['failed', answered(['yes', 'person'])],
      ['failed', answered(['no', 'person'], ['yes', 'person'])],
      ['rejected', answered(['yes', 'person'], ['no', 'person'])],
    ] as const) {
      transcript.apply(change('1', { status: 'failed' }));
      assert.equal(transcript.toolCall('1')?.status, expected);
      transcript.apply(change('1', { status: 'completed' }));
      assert.equal(transcript.toolCall('1')?.status, 'completed');
    }
  });

  it('is forgotten with the history', () => {
    const transcript = answered(['no', 'person']);
    transcript.reset();
    transcript.apply(call('1', { status: 'pending' }));
    transcript.apply(change('1', { status: 'failed' }));
    assert.equal(transcript.toolCall('1')?.status, 'failed');
  });

  it('is saved in the protocol’s words, with ours beside them', () => {
    const transcript = answered(['no', 'person']);
    transcript.apply(change('1', { status: 'failed' }));
    const entry = transcript.toolCall('1');
    assert.ok(entry);
    const saved = JSON.stringify(entryUpdates(entry, 's'));
    assert.match(saved, /"status":"failed"/);
    assert.match(saved, /"_meta":\{"acpSessions":\{"status":"rejected"\}\}/);
  });
});
