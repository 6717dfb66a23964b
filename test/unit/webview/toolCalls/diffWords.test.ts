import assert from 'node:assert/strict';
import { getLines } from '../../../../src/webview/highlight/highlightedLines';
import type { HighlightNode } from '../../../../src/webview/highlight/highlightJob';
import { changedWords } from '../../../../src/webview/toolCalls/diffWords';
import { fc, tries } from '../../../support/properties';

/** The marked words of each line. */
function marked(lines: readonly (readonly ['same' | 'added' | 'removed', string])[]): string[][] {
  const words = changedWords(lines.map(([type, text]) => ({ type, text })));
  return lines.map(([, text], at) =>
    (words.get(at) ?? []).map(({ start, end }) => text.slice(start, end)),
  );
}

describe('what has changed within a line', () => {
  it('is found word by word, where as many lines came as went', () => {
    assert.deepEqual(
      marked([
        ['same', 'start'],
        ['removed', 'const rate = 0.19; // usual'],
        ['removed', 'let a = b;'],
        ['added', 'const rate = taxRate(); // usual'],
        ['added', 'let c = b + d;'],
      ]),
      [[], ['0.19'], ['a'], ['taxRate()'], ['c', ' + d']],
    );
  });

  it('isn’t marked in lines that have nothing to do with each other', () => {
    assert.deepEqual(
      marked([
        ['removed', 'import { a } from "b";'],
        ['added', 'while (true) go();'],
      ]),
      [[], []],
    );
    assert.deepEqual(
      marked([
        ['removed', 'one'],
        ['added', 'one'],
        ['added', 'two'],
      ]),
      [[], [], []],
    );
  });

  it('SEC-115: is bounded, and never outside of the line, whatever the lines are', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '.', '\u{1f600}'),
      maxLength: 400,
    });
    fc.assert(
      fc.property(line, line, (before, after) => {
        const words = changedWords([
          { type: 'removed', text: before },
          { type: 'added', text: after },
        ]);
        for (const [at, text] of [before, after].entries()) {
          let end = 0;
          for (const span of words.get(at) ?? []) {
            assert.ok(span.start >= end && span.end > span.start && span.end <= text.length);
            end = span.end;
          }
        }
      }),
      tries(1000),
    );
  });
});

describe('highlighted code line by line', () => {
  it('keeps all text, and scopes that go over several lines', () => {
    const text = (value: string): HighlightNode => ({ type: 'text', value });
    const scope = (...children: HighlightNode[]): HighlightNode => ({
      type: 'scope',
      scope: 'c',
      children,
    });
    assert.deepEqual(
      getLines([text('a\n'), scope(text('b\n'), scope(text('c'))), text('d\n\ne')]),
      [[text('a')], [scope(text('b'))], [scope(scope(text('c'))), text('d')], [], [text('e')]],
    );
  });
});
