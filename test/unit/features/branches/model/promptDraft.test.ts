import assert from 'node:assert/strict';
import { getPromptDraft } from '../../../../../src/features/branches/model/promptDraft';
import type { Block } from '../../../../../src/shared/transcript/content';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { entriesOf, user } from '../../../model/updates';

function draftOf(...blocks: readonly Block[]) {
  return getPromptDraft([{ kind: 'user', blocks }], 0);
}

describe('A prompt to be written again', () => {
  it('has its text, its files, selections and images', () => {
    const { draft, left } = draftOf(
      { type: 'text', text: 'Look at this\n' },
      { type: 'resource_link', uri: 'file:///w/a%20b.md', name: 'a b.md' },
      { type: 'resource', uri: 'file:///w/c.md', text: 'c' },
      { type: 'resource', uri: 'file:///w/d.ts#L3-L5', text: 'three\nlines\nhere' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    );
    assert.equal(left, 0);
    assert.deepEqual(draft, {
      text: 'Look at this',
      attachments: [
        { type: 'file', uri: 'file:///w/a%20b.md', name: 'a b.md' },
        { type: 'file', uri: 'file:///w/c.md', name: 'c.md' },
        {
          type: 'selection',
          uri: 'file:///w/d.ts',
          name: 'd.ts',
          startLine: 3,
          endLine: 5,
          text: 'three\nlines\nhere',
        },
        { type: 'image', name: '', mimeType: 'image/png', data: 'AAAA' },
      ],
    });
  });

  it('counts what a draft cannot have', () => {
    const { draft, left } = draftOf(
      { type: 'text', text: 'Hear' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'resource_link', uri: 'https://example.com', name: 'a page' },
      { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
      { type: 'unknown', label: 'x' },
    );
    assert.deepEqual(draft, { text: 'Hear', attachments: [] });
    assert.equal(left, 4);
  });

  it('is one prompt of those that follow each other, and empty for anything else', () => {
    const entries = entriesOf(user('One', 'u1'), user('Two', 'u2'));
    assert.equal(getPromptDraft(entries, 0).draft.text, 'One');
    const parts: Entry[] = [
      { kind: 'user', messageId: 'u', blocks: [{ type: 'text', text: 'One, ' }] },
      { kind: 'user', messageId: 'u', blocks: [{ type: 'text', text: 'two' }] },
    ];
    assert.equal(getPromptDraft(parts, 0).draft.text, 'One, two');
    assert.deepEqual(getPromptDraft(entries, 7).draft, { text: '', attachments: [] });
  });

  it('stays within the bounds of drafts', () => {
    const many = Array.from(
      { length: 200 },
      (_, n): Block => ({ type: 'resource_link', uri: `file:///${n}`, name: `${n}` }),
    );
    assert.equal(draftOf(...many).draft.attachments.length, 100);
    assert.equal(draftOf(...many).left, 100);
    const long = 'x'.repeat(2_000_000);
    assert.deepEqual(draftOf({ type: 'text', text: long }), {
      draft: { text: '', attachments: [] },
      left: 1,
    });
  });
});
