import assert from 'node:assert/strict';
import { MarkdownBlocks } from '../../../../src/webview/markdown/markdownBlocks';
import { fc, tries } from '../../../support/properties';

/** The relevant parts of the tokens: everything except their source positions. */
function shape(blocks: ReturnType<MarkdownBlocks['update']>): unknown {
  return blocks.map(({ tokens }) =>
    tokens.map(({ type, tag, content, info, children, attrs, hidden }) => ({
      type,
      tag,
      content,
      info,
      attrs,
      hidden,
      children: children?.map((child) => [child.type, child.content, child.attrs]),
    })),
  );
}

const pieces = fc.constantFrom(
  'word ',
  '\n',
  '\n\n',
  '# ',
  '- item\n',
  '1',
  '1. one\n',
  '   more\n',
  '    code\n',
  '```',
  '```ts\n',
  '~~~\n',
  '> quote\n',
  '| a | b |\n',
  '|---|---|\n',
  '===\n',
  '---\n',
  '**bold** ',
  '`code` ',
  '[ref] ',
  '[ref]: https://example.org\n',
  '[text](src/a.ts#L3) ',
  'https://example.org/a ',
  '<b>html</b> ',
  '\r\n',
  '\\',
  '* * *\n',
);

describe('Markdown that arrives in pieces', () => {
  it('CO-1: ends as the same blocks as the whole text parsed at once', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (chunks) => {
        const growing = new MarkdownBlocks();
        let text = '';
        for (const chunk of chunks) {
          text += chunk;
          growing.update(text);
        }
        assert.deepEqual(shape(growing.update(text)), shape(new MarkdownBlocks().update(text)));
      }),
      tries(1500),
    );
  });

  it('CO-1: never parses a closed block again', () => {
    const growing = new MarkdownBlocks();
    const paragraph = `${'word '.repeat(20)}\n\n`;
    const first = growing.update(paragraph.repeat(5));
    const later = growing.update(paragraph.repeat(5) + paragraph.repeat(3));
    assert.equal(later[0], first[0]);
    assert.equal(later[2], first[2]);
    assert.equal(later.length, 8);
    assert.deepEqual(
      later.map((block) => block.key),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
  });

  it('starts over when the text is another one', () => {
    const growing = new MarkdownBlocks();
    growing.update('one\n\ntwo\n\nthree\n\nfour');
    const other = growing.update('# Other');
    assert.equal(other.length, 1);
    assert.equal(other[0]?.tokens[0]?.type, 'heading_open');
  });

  it('T-24: leaves HTML as text', () => {
    const blocks = new MarkdownBlocks().update('<script>alert(1)</script>\n\na <img src=x> b');
    const inline = blocks.flatMap(({ tokens }) => tokens.filter(({ type }) => type === 'inline'));
    for (const { children } of inline) {
      assert.deepEqual(new Set(children?.map(({ type }) => type)), new Set(['text']));
    }
    assert.equal(inline.length, 2);
  });
});
