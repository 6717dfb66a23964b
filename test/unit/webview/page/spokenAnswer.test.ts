import assert from 'node:assert/strict';
import { SpokenAnswer } from '../../../../src/webview/page/spokenAnswer';
import { fc } from '../../../support/properties';

function growing(...texts: readonly string[]) {
  return { count: texts.length, getText: (index: number) => texts[index] ?? '' };
}

describe('an answer that is heard', () => {
  it('is read in whole sentences, each once', () => {
    const answer = new SpokenAnswer(1);
    assert.equal(answer.next(growing('Prompt'), false), '');
    assert.equal(answer.next(growing('Prompt', 'The pri'), false), '');
    assert.equal(
      answer.next(growing('Prompt', 'The price is wrong. I wi'), false),
      'The price is wrong.',
    );
    assert.equal(answer.next(growing('Prompt', 'The price is wrong. I will'), false), '');
    assert.equal(
      answer.next(growing('Prompt', 'The price is wrong. I will look at it', '', 'Done. '), false),
      'I will look at it',
    );
    assert.equal(answer.next(growing('Prompt', 'The price…', '', 'Done. Bye'), true), 'Done. Bye');
    assert.equal(answer.next(growing('Prompt', 'The price…', '', 'Done. Bye'), true), '');
  });

  it('is read without its Markdown, and says where there is code instead of reading it', () => {
    const text = [
      '## What **is** wrong',
      '- see [the cart](src/cart.ts) and `total`',
      '```ts',
      'const total = 1;',
      '```',
      '| a | b |',
      'That is it.',
    ].join('\n');
    assert.equal(
      new SpokenAnswer(0).next(growing(text), true),
      'What is wrong see the cart and total Code. a   b That is it.',
    );
  });

  it('does not wait for the end of what never ends', () => {
    const answer = new SpokenAnswer(0);
    const endless = 'word '.repeat(2000);
    const heard = answer.next(growing(endless), false);
    assert.ok(heard.length > 5000 && heard.length < endless.length);
    assert.match(heard, /^(word )*word$/);
  });

  it('loses and repeats no word, however it comes', () => {
    const words = fc.array(fc.constantFrom('one', 'two. ', 'three ', 'four\n', '5.5 ', 'six? '), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(words, fc.array(fc.nat({ max: 12 })), (parts, steps) => {
        const text = parts.join('');
        const answer = new SpokenAnswer(0);
        const heard: string[] = [];
        let length = 0;
        for (const step of steps) {
          length = Math.min(text.length, length + step);
          heard.push(answer.next(growing(text.slice(0, length)), false));
        }
        heard.push(answer.next(growing(text), true));
        assert.equal(heard.join('').replace(/\s/g, ''), text.replace(/\s/g, ''));
      }),
    );
  });
});
