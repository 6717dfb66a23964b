import assert from 'node:assert/strict';
import { TerminalFilter } from '../../../../src/platform/terminals/terminalFilter';
import { fc } from '../../../support/properties';

const filtered = (...pieces: readonly string[]): string => {
  const filter = new TerminalFilter();
  return pieces.map((piece) => filter.push(piece)).join('');
};

describe('output for a VS Code terminal', () => {
  it('TE-9: keeps colors and cursor movements, and begins lines at the left', () => {
    assert.equal(filtered('a\nb\r\n'), 'a\r\nb\r\r\n');
    assert.equal(
      filtered('\u001b[31mred\u001b[0m\u001b[2K\r'),
      '\u001b[31mred\u001b[0m\u001b[2K\r',
    );
    assert.equal(filtered('\u009b1mbold'), '\u001b[1mbold');
  });

  it('TE-9: leaves out what would act on the window', () => {
    const strings = [
      '\u001b]0;title\u0007',
      '\u001b]52;c;aGk=\u001b\\',
      '\u001b]8;;https://example.org\u001b\\',
      '\u001b]633;E;rm -rf;nonce\u0007',
      '\u001bPq#0\u001b\\',
      '\u001b_G\u001b\\',
      '\u001b^x\u001b\\',
      '\u009d0;title\u009c',
      '\u001bc',
      '\u001b(B',
      '\u0085',
    ];
    for (const string of strings) {
      assert.equal(filtered(`a${string}b`), 'ab', JSON.stringify(string));
    }
    assert.equal(filtered('\u001b]0;never ended', ' still\nnext'), 'next');
    assert.equal(filtered('\u001b]0;a\u001b[1mb'), '\u001b[1mb');
  });

  it('TE-9: is the same wherever the output is cut', () => {
    const part = fc.constantFrom(
      'a',
      '\n',
      '\u001b',
      ']',
      '[',
      '1m',
      '\u0007',
      '\\',
      '(',
      '\u009d',
      '\u009c',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        assert.equal(filtered(...parts), filtered(parts.join('')));
      }),
    );
  });
});
