import assert from 'node:assert/strict';
import { mentioned } from '../../../../src/shared/prompt/mentioned';
import type { Attachment } from '../../../../src/shared/transcript/prompt';

function attached(mention: string): Attachment {
  return { type: 'file', uri: `file:///w/${mention.slice(1)}`, name: mention.slice(1), mention };
}

function isSent(text: string, mention: string): boolean {
  return mentioned({ text, attachments: [attached(mention)] }).attachments.length === 1;
}

describe('Attachments of mentions', () => {
  it('are sent only while the text has them', () => {
    assert.equal(isSent('look at @cart.ts', '@cart.ts'), true);
    assert.equal(isSent('look at ', '@cart.ts'), false);
    assert.equal(isSent('look at @cart.t', '@cart.ts'), false);
  });

  it('may be followed by punctuation, and preceded by text without spaces', () => {
    for (const text of ['see (@cart.ts).', 'see @cart.ts, then', '看@cart.ts。', '＠cart.ts']) {
      assert.equal(isSent(text, '@cart.ts'), true, text);
    }
  });

  it('aren’t those of longer names', () => {
    for (const text of ['@cart.tsx', '@cart.ts.bak', '@cart.ts/a', 'me@cart.ts']) {
      assert.equal(isSent(text, '@cart.ts'), false, text);
    }
  });

  it('are those of a file with a line after it, and of no other context than the one that is written', () => {
    assert.equal(isSent('see @cart.ts:12', '@cart.ts'), true);
    const problems = {
      type: 'context',
      source: 'problems',
      about: 'all',
      name: 'Problems',
    } as const;
    const sent = (text: string): number =>
      mentioned({ text, attachments: [{ ...problems, mention: '@problems' }] }).attachments.length;
    assert.equal(sent('fix @problems: all of them'), 1);
    assert.equal(sent('fix @problems:errors'), 0);
  });

  it('take any characters literally', () => {
    for (const name of ['@a (1).ts', '@[x]+.ts', '@a\\b', '@$&', '@-']) {
      assert.equal(isSent(`see ${name} `, name), true, name);
    }
  });

  it('other attachments stay', () => {
    const file: Attachment = { type: 'file', uri: 'file:///w/a', name: 'a' };
    const draft = { text: '', attachments: [file] };
    assert.equal(mentioned(draft), draft);
  });
});
