import assert from 'node:assert/strict';
import type { Block } from '../../../../src/shared/transcript/content';
import { transcriptOf } from '../updates';

/** The blocks of the single prompt that these chunks form. */
function prompt(...chunks: readonly string[]): readonly string[] {
  const transcript = transcriptOf(
    ...chunks.map((text) => ({
      sessionUpdate: 'user_message_chunk' as const,
      messageId: 'u1',
      content: { type: 'text' as const, text },
    })),
  );
  const [entry, ...others] = transcript.entries;
  assert.ok(entry?.kind === 'user' && others.length === 0);
  return entry.blocks.map((block: Block) => (block.type === 'text' ? block.text : block.type));
}

describe('chunks of a replayed prompt', () => {
  const file = '<file name="a.ts">\nlet a;\n</file>';
  const code = '```ts\nlet a;\n```';

  for (const element of [file, code]) {
    it(`stay blocks of their own around ${element.slice(0, 5)}…`, () => {
      assert.deepEqual(prompt('Look at this:', element, 'And mend it.'), [
        'Look at this:',
        element,
        'And mend it.',
      ]);
    });
  }

  it('go on with each other where they have their break with them', () => {
    assert.deepEqual(prompt('Look:\n', code, '\n\nand mend it.'), [
      `Look:\n${code}\n\nand mend it.`,
    ]);
  });

  it('that are pieces of a stream are one text', () => {
    const whole = `Look at <b>this</b>.\n${code}\nNow <div>\n</div> is it\ndone? See System.Out.`;
    for (const size of [1, 2, 5, 7, 24]) {
      const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      assert.deepEqual(prompt(...pieces), [whole], `pieces of ${size}`);
    }
    assert.deepEqual(prompt(...whole.split(/(?=\s)/)), [whole], 'words');
  });

  it('are one text wherever its pieces end, and whatever their lengths are', () => {
    for (const whole of [
      'Un|believ|able, isn’t it?',
      'Un|believable|, isn’t it?',
      'Re|name the |function in this file',
      'Grü|ße| an die Welt,| 你|好 and emoji 🎉|🎉',
      'Call list.for|Each| on it and on System.|out, please',
      'I paid 1|000|.50 for it',
    ]) {
      assert.deepEqual(prompt(...whole.split('|')), [whole.replaceAll('|', '')]);
    }
  });

  it('that end and begin like sentences are blocks of their own', () => {
    assert.deepEqual(prompt('Mend this file.', 'And that other one, please.'), [
      'Mend this file.',
      'And that other one, please.',
    ]);
  });

  it('that the user hasn’t written aren’t a prompt', () => {
    const chunk = (text: string) => ({
      sessionUpdate: 'user_message_chunk' as const,
      content: { type: 'text' as const, text },
    });
    const context = '<session_context>\nA sunny day.\n</session_context>';
    const { entries } = transcriptOf(chunk(context), chunk('[Function Response: read_file]'));
    assert.deepEqual(entries, []);
    const quoted = transcriptOf(chunk('What does [Function Response: x] mean?'));
    assert.equal(quoted.entries.length, 1);
  });
});
