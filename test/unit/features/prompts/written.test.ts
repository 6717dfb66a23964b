import assert from 'node:assert/strict';
import { writtenDraft } from '../../../../src/features/prompts/written';
import type { Attachment } from '../../../../src/shared/transcript/prompt';

const cart: Attachment = { type: 'file', uri: 'file:///project/src/cart.ts', name: 'cart.ts' };
const lines: Attachment = {
  type: 'selection',
  uri: 'file:///project/src/a%20b.ts',
  name: 'a b.ts',
  startLine: 3,
  endLine: 9,
  text: 'x',
};
const image: Attachment = { type: 'image', name: 'a.png', mimeType: 'image/png', data: 'AA==' };

describe('a draft that goes on in an editor', () => {
  it('mentions its files where it named them, and the others at its end', () => {
    assert.deepEqual(
      writtenDraft({ text: 'Look at @cart.ts now', attachments: [cart, lines] }, '/project'),
      { content: 'Look at @src/cart.ts now\n\n@<src/a b.ts>#L3-9', enclosed: [] },
    );
  });

  it('takes along what can’t be written', () => {
    const { content, enclosed } = writtenDraft({ text: 'See', attachments: [image] }, '/project');
    assert.equal(content, 'See');
    assert.deepEqual(enclosed, [image]);
  });

  it('SEC-34: takes along what has an address that can’t be decoded', () => {
    const attachments: Attachment[] = ['file:///%E0%A4%A', 'file:///%zz', 'file:///a%2Fb'].map(
      (uri) => ({ ...cart, uri }),
    );
    const draft = writtenDraft({ text: 'See @cart.ts', attachments }, '/project');
    assert.deepEqual(draft, { content: 'See @cart.ts', enclosed: attachments });
  });

  it('takes nothing along that is mentioned by a word, by which it is found again', () => {
    const problems = {
      type: 'context',
      source: 'problems',
      about: 'all',
      name: 'Problems',
    } as const;
    const enclosed = (text: string, attachment: Attachment) =>
      writtenDraft({ text, attachments: [attachment] }, '/project').enclosed.length;
    const byWord = { ...problems, mention: '@problems' };
    assert.equal(enclosed('Fix @problems, please', byWord), 0);
    assert.equal(enclosed('Fix @problems, please', problems), 1);
  });

  it('writes the whole path of what is elsewhere', () => {
    const other: Attachment = { ...cart, uri: 'file:///other/cart.ts' };
    assert.equal(
      writtenDraft({ text: '', attachments: [other] }, '/project').content,
      '@/other/cart.ts',
    );
  });
});
