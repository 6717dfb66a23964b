import assert from 'node:assert/strict';
import { outputText } from '../../../../src/shared/terminal/outputText';
import { TerminalText } from '../../../../src/shared/terminal/terminalText';
import { fc } from '../../../support/properties';

const narrow = { columns: 10, rows: 5 };
const up = '\u001b[1A';

describe('terminals of a known size', () => {
  it('V2-TERM-8: a program that goes up the rows it has filled finds its beginning', () => {
    const frames = `${'a'.repeat(15)}${up}\r\u001b[Jnew`;
    assert.equal(outputText(frames, narrow), 'new');
    const rewritten = `first\r\n${'b'.repeat(25)}\u001b[2A\rxy`;
    assert.equal(outputText(rewritten, narrow), `first\nxy${'b'.repeat(23)}`);
  });

  it('V2-TERM-8: a line that the terminal has wrapped is whole, also once it has scrolled out', () => {
    const line = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
    const output = `\u001b[0m${line}\r\n${line}\r\n`.repeat(30);
    assert.equal(outputText(output, narrow), Array.from({ length: 60 }, () => line).join('\n'));
  });

  it('V2-TERM-8: a line as wide as the terminal ends with its row', () => {
    assert.equal(
      outputText(`${'x'.repeat(10)}\r\n\u001b[Knext`, narrow),
      `${'x'.repeat(10)}\nnext`,
    );
    assert.equal(outputText(`${'x'.repeat(10)}\ry`, narrow), `y${'x'.repeat(9)}`);
    assert.equal(outputText(`${'x'.repeat(10)}\by`, narrow), `${'x'.repeat(8)}yx`);
  });

  it('V2-TERM-8: positions refer to its rows', () => {
    const rows = Array.from({ length: 40 }, (_, at) => `row ${at + 1}`).join('\r\n');
    const at = (size: number): string | undefined =>
      outputText(`${rows}\u001b[1;1H\u001b[2Ktop`, { columns: 80, rows: size })
        .split('\n')
        .find((_, row) => row === 40 - size);
    assert.deepEqual([at(5), at(30), at(40)], ['top', 'top', 'top']);
  });

  it('V2-TERM-8, SEC-120: no size makes work or memory without bound', () => {
    for (const size of [
      { columns: 1, rows: 1 },
      { columns: 2, rows: 1 },
      { columns: 65_535, rows: 65_535 },
    ]) {
      for (const count of [50_000, 100_000]) {
        const terminal = new TerminalText(size);
        terminal.write('漢'.repeat(count));
        terminal.write('\u001b[65535B\u001b[65535Gx');
        const cells = terminal.lines.flat().reduce((sum, { text }) => sum + text.length, 0);
        assert.ok(cells >= count && cells < count + 2000, `${cells}`);
        assert.ok(terminal.lines.length < 150);
      }
    }
  });

  it('V2-TERM-8: text is the same at any width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ -~漢字あ한🎉]*$/u)),
        fc.integer({ min: 1, max: 30 }),
        (lines, columns) => {
          const text = `\u001b[m${lines.join('\r\n')}`;
          assert.equal(outputText(text, { columns, rows: 5 }), outputText(text));
        },
      ),
    );
  });
});

describe('wide characters', () => {
  const shown = (output: string): string => outputText(`\u001b[m${output}`);

  it('TE-9: take two columns', () => {
    assert.equal(shown('日本語\u001b[7Gx'), '日本語x');
    assert.equal(shown('✅ done\u001b[4GDONE'), '✅ DONE');
    assert.equal(shown('한국\b\b어'), '한어');
    assert.equal(shown('ﾊﾝ\u001b[3G|'), 'ﾊﾝ|');
  });

  it('TE-9: leave a blank where half of one is written over or erased', () => {
    assert.equal(shown('日本\u001b[2Gx'), ' x本');
    assert.equal(shown('日本\u001b[3Gx'), '日x ');
    assert.equal(shown('日本\u001b[4G\u001b[K'), '日 ');
    assert.equal(shown('日本語\u001b[2G\u001b[2P|'), ' |語');
    assert.equal(shown('日本語\u001b[2G\u001b[2X'), '    語');
    assert.equal(shown('日本\u001b[1G\u001b[1K'), '  本');
  });

  it('TE-9: marks are drawn with the character before them', () => {
    assert.equal(shown('e\u0301x\u001b[2Gy'), 'e\u0301y');
    assert.equal(shown('👍🏽!\u001b[3G?'), '👍🏽?');
    assert.equal(shown('\u0301x'), '\u0301x');
    const mark = '\u0301'.repeat(100_000);
    assert.equal(shown(`a${mark}\u001b[2Gb`), `a${mark}b`);
  });
});

describe('a title or link without an end on the last line', () => {
  it('TE-9: is text, until its end comes', () => {
    assert.equal(outputText('a\u001b]0;the rest'), 'a0;the rest');
    assert.equal(outputText('a\u001b]0;the rest\u001b'), 'a0;the rest');
    assert.equal(outputText('a\u001b]0;the rest\u0007b'), 'ab');
    const terminal = new TerminalText();
    const text = (): string =>
      terminal.lines
        .flat()
        .map((span) => span.text)
        .join('');
    terminal.write('\u001b]0;ti');
    assert.equal(text(), '0;ti');
    terminal.write('tle\u0007x');
    assert.equal(text(), 'x');
  });
});
