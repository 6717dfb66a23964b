import assert from 'node:assert/strict';
import {
  getSegments,
  maxPromptLength,
  parsePrompt,
  type SegmentOf,
  type Span,
} from '../../../../src/shared/prompt/promptDocument';
import { mentionText } from '../../../../src/shared/prompt/promptMention';
import { promptParts, promptSettings, sentText } from '../../../../src/shared/prompt/promptParts';
import { fc } from '../../../support/properties';

function mentionsIn(text: string): readonly SegmentOf<'mention'>['target'][] {
  return getSegments(parsePrompt(text), 'mention').map(({ target }) => target);
}

function sent(text: string): string {
  return sentText(promptParts(parsePrompt(text)));
}

function written(text: string, spans: readonly Span[]): readonly string[] {
  return spans.map(({ start, end }) => text.slice(start, end));
}

/** Texts made of significant tokens in any order. */
const pieces = fc.constantFrom(
  ...[
    '---\n',
    '---',
    '\n',
    '\r\n',
    ' ',
    'mode: plan',
    '/fix',
    '@src/a.ts',
    '@<a b>',
    '@#run',
    '@diff',
    '@',
  ],
  ...['<!--', '-->', '```', '~~~~', '`', '``', '# Title', '![x](y.png)', '![', '${1:name}', '${'],
  ...['\\', '#L1-2', '<', '>', '(', ')', '\ufeff', '\u0000', '😀', 'word'],
);
const promptTexts = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('prompt documents', () => {
  it('split any text into pieces that are the text again, in order and none empty', () => {
    fc.assert(
      fc.property(promptTexts, (text) => {
        const { segments } = parsePrompt(text);
        assert.equal(written(text, segments).join(''), text);
        assert.ok(segments.every(({ start, end }) => start < end));
        assert.ok(segments.every(({ start }, index) => start === (segments[index - 1]?.end ?? 0)));
      }),
    );
  });

  it('send only the text, in its order, without blanks around it', () => {
    fc.assert(
      fc.property(promptTexts, (text) => {
        const parts = promptParts(parsePrompt(text));
        let at = 0;
        for (const part of parts) {
          assert.notEqual(part.text, '');
          for (const piece of part.text) {
            at = text.indexOf(piece, at) + piece.length;
            assert.ok(at >= piece.length, `“${piece}” is in the text, in its order`);
          }
        }
        assert.equal(sentText(parts), sentText(parts).trim());
      }),
    );
  });

  it('read settings before the prompt, also with a byte order mark and other line ends', () => {
    const text =
      '\ufeff---\r\n# of today\r\nmode: plan # careful\r\nmodel : "big: one"\r\nx\r\n---\r\nGo';
    const { frontMatter } = parsePrompt(text);
    assert.deepEqual(
      [...promptSettings(parsePrompt(text))],
      [
        ['mode', 'plan'],
        ['model', 'big: one'],
      ],
    );
    assert.deepEqual(written(text, frontMatter?.unreadable ?? []), ['x']);
    const [, model] = frontMatter?.entries ?? [];
    assert.equal(text.slice(model!.keyStart, model!.keyEnd), 'model');
    assert.equal(text.slice(model!.valueStart, model!.valueEnd), '"big: one"');
    assert.equal(sent(text), 'Go');
  });

  it('take a line at the start for text when nothing closes it', () => {
    assert.equal(parsePrompt('---\nmode: plan\n').frontMatter, undefined);
    assert.equal(sent('---\nmode: plan\n'), '---\nmode: plan');
    assert.equal(parsePrompt('text\n---\na: b\n---\n').frontMatter, undefined);
  });

  it('know a slash command only at the start of the sent text (CM-2)', () => {
    const commandOf = (text: string) => getSegments(parsePrompt(text), 'command')[0]?.name;
    assert.equal(commandOf('/fix the test'), 'fix');
    assert.equal(commandOf('---\nmode: plan\n---\n\n/mcp:ask'), 'mcp:ask');
    assert.equal(commandOf('<!-- later -->\n  /fix'), 'fix');
    assert.equal(sent('<!-- later -->\n  /fix it'), '/fix it');
    assert.equal(commandOf('please /fix'), undefined);
    assert.equal(commandOf('text\n/fix'), undefined);
    assert.equal(commandOf('/ fix'), undefined);
    assert.equal(commandOf('// fix'), undefined);
  });

  it('find mentions of files, lines and symbols, without the sentence around them', () => {
    assert.deepEqual(mentionsIn('See @src/a.ts, (@b.md#L3-9) and @<my file#1.txt>#L7.'), [
      { kind: 'file', path: 'src/a.ts' },
      { kind: 'file', path: 'b.md', lines: { first: 3, last: 9 } },
      { kind: 'file', path: 'my file#1.txt', lines: { first: 7, last: 7 } },
    ]);
    assert.deepEqual(mentionsIn('@#Cart.total @a#b.ts @..\\up.ts @100%.md'), [
      { kind: 'symbol', name: 'Cart.total' },
      { kind: 'file', path: 'a#b.ts' },
      { kind: 'file', path: '..\\up.ts' },
      { kind: 'file', path: '100%.md' },
    ]);
    assert.deepEqual(mentionsIn('ada@example.org \\@no @ @, `@types/node` x@y'), []);
  });

  it('find what is mentioned by a word, which a file of that name is not', () => {
    assert.deepEqual(mentionsIn('Fix @problems:errors, ＠diff. @terminal:zsh-2 (@open)'), [
      ...['problems:errors', 'diff', 'terminal:zsh-2', 'open'].map((word) => ({
        ...{ kind: 'context', word },
      })),
    ]);
    assert.deepEqual(mentionsIn('@./diff @<diff> @diffs @diff/a.ts'), [
      ...['./diff', 'diff', 'diffs', 'diff/a.ts'].map((path) => ({ kind: 'file', path })),
    ]);
    assert.equal(mentionText('diff'), '@<diff>');
  });

  it('find fullwidth marks, and mentions after text without spaces', () => {
    assert.deepEqual(mentionsIn('看＠src/a.ts。また@b.md、＠＃Cart（@<c d.ts>#L2）'), [
      { kind: 'file', path: 'src/a.ts' },
      { kind: 'file', path: 'b.md' },
      { kind: 'symbol', name: 'Cart' },
      { kind: 'file', path: 'c d.ts', lines: { first: 2, last: 2 } },
    ]);
    assert.equal(
      sentText(promptParts(parsePrompt('／fix ＠a.ts と ＠＃Cart'))),
      '/fix @a.ts と @#Cart',
    );
  });

  it('say every path in a mention that is read as that path again', () => {
    const paths = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1 }),
    );
    const lines = fc.option(fc.constant({ first: 3, last: 12 }), { nil: undefined });
    fc.assert(
      fc.property(paths, lines, (path, range) => {
        const text = mentionText(path, range);
        if (text === undefined) {
          assert.match(path, /[<>\r\n]/);
        } else {
          const target = { kind: 'file', path, ...(range && { lines: range }) };
          assert.deepEqual(mentionsIn(`See ${text}, please`), [target]);
        }
      }),
    );
    assert.equal(mentionText('src/a.ts', { first: 1, last: 2 }), '@src/a.ts#L1-2');
    assert.equal(mentionText('app/[id]/(group)'), '@<app/[id]/(group)>');
    assert.equal(mentionText('#tag.md'), '@<#tag.md>');
  });

  it('find nothing in fenced code, in comments and behind a backslash', () => {
    const text = [
      '```ts',
      '# no @no.ts <!-- stays -->',
      '~~~',
      '```',
      '<!-- @no.ts',
      '# no',
      '-->',
      '\\![x](y.png) \\${1:no}',
      '~~~',
      '@no.ts',
    ].join('\n');
    const document = parsePrompt(text);
    assert.deepEqual(
      document.segments.map(({ kind }) => kind),
      ['text', 'comment', 'text'],
    );
    assert.deepEqual(document.headings, []);
    assert.equal(document.fences.length, 2);
    assert.equal(sent(text), text.replace(/<!-- @no[^]*?-->\n/, ''));
  });

  it('never send comments; one that isn’t closed hides the rest', () => {
    assert.equal(sent('a <!-- b --> c'), 'a  c');
    assert.equal(sent('a\n  <!-- b\nb --> \nc'), 'a\nc');
    assert.equal(sent('a\r\n<!-- b -->\r\nc'), 'a\r\nc');
    assert.equal(sent('a <!-- b\n\nc'), 'a');
    assert.equal(sent('<!-- only -->'), '');
    assert.equal(sent('`<!--` stays'), '`<!--` stays');
  });

  it('find headings with their levels', () => {
    const { headings } = parsePrompt('# One #\n   ### Three @a.ts\n#Two\n    # code\n##\n');
    assert.deepEqual(
      headings.map(({ level, title }) => [level, title]),
      [
        [1, 'One'],
        [3, 'Three @a.ts'],
        [2, ''],
      ],
    );
  });

  it('find images of files, and leave those of the web as text', () => {
    const text = '![A shot](shots/a.png) ![](<b c.jpg> "Title") ![x](https://example.org/x.png)';
    assert.deepEqual(
      getSegments(parsePrompt(text), 'image').map(({ alt, path }) => [alt, path]),
      [
        ['A shot', 'shots/a.png'],
        ['', 'b c.jpg'],
      ],
    );
    assert.deepEqual(
      promptParts(parsePrompt(text)).map(({ kind }) => kind),
      ['image', 'text', 'image', 'text'],
    );
  });

  it('find places to fill in', () => {
    const found = getSegments(
      parsePrompt('Rename ${1:old name} to ${2}, not ${HOME}'),
      'placeholder',
    );
    assert.deepEqual(
      found.map(({ number, name }) => [number, name]),
      [
        [1, 'old name'],
        [2, ''],
      ],
    );
  });

  it('read texts of a million characters that begin everything and end nothing', function () {
    this.timeout(30_000);
    const starts = ['`', '` `` ``` ', '<!-', '<!--', '![', '![a](', '@<', '@', '${1:', '#', '\\'];
    for (const start of [
      ...starts,
      '---\n',
      '```\n',
      '- ``` \n',
      ' ',
      '\t\n',
      '@a.,;:!?)',
      '@x#L1',
    ]) {
      const text = start.repeat(Math.ceil(maxPromptLength / start.length));
      assert.ok(sent(text).length <= text.length, start);
    }
  });
});
