import assert from 'node:assert/strict';
import { outputText } from '../../../../src/shared/terminal/outputText';
import type { TerminalStyle } from '../../../../src/shared/terminal/sgr';
import type { TerminalLine } from '../../../../src/shared/terminal/terminalScreen';
import { TerminalText } from '../../../../src/shared/terminal/terminalText';
import { fc } from '../../../support/properties';

function linesOf(...chunks: string[]): readonly TerminalLine[] {
  const terminal = new TerminalText();
  for (const chunk of chunks) {
    terminal.write(chunk);
  }
  return terminal.lines;
}

function textOf(output: string): string {
  return linesOf(output)
    .map((line) => line.map((span) => span.text).join(''))
    .join('\n');
}

function styleOf(output: string): TerminalStyle | undefined {
  return linesOf(output).at(-1)?.at(-1)?.style;
}

/** Sequences that move, erase, insert and scroll, with and without counts. */
const moves = Array.from('@ABCDEFGHJKLMPSTXdrsu').flatMap((final) =>
  ['', '1', '2', '3', '24', '2;5', '999999999999'].map((count) => `\u001b[${count}${final}`),
);
moves.push(
  '\u001b[?1049h',
  '\u001b[?1049l',
  '\u001b7',
  '\u001b8',
  '\u001bM',
  '\u001bc',
  '\u001bE',
  'text',
);

describe('output of terminals', () => {
  const colours: [string, TerminalStyle][] = [
    ['\u001b[31mx', { foreground: 1 }],
    ['\u001b[42mx', { background: 2 }],
    ['\u001b[91;103mx', { foreground: 9, background: 11 }],
    [
      '\u001b[1;3;4;7;9mx',
      { bold: true, italic: true, underline: true, inverse: true, strike: true },
    ],
    ['\u001b[1;2m\u001b[22mx', {}],
    ['\u001b[31;1m\u001b[39mx', { bold: true }],
    ['\u001b[31m\u001b[mx', {}],
    ['\u001b[31m\u001b[0mx', {}],
    ['\u001b[4:0mx', {}],
    ['\u001b[38;5;9mx', { foreground: 9 }],
    ['\u001b[38;5;196mx', { foreground: '#ff0000' }],
    ['\u001b[48;5;244mx', { background: '#808080' }],
    ['\u001b[38;2;1;2;3;1mx', { foreground: '#010203', bold: true }],
    ['\u001b[38:2::1:2:3mx', { foreground: '#010203' }],
    ['\u001b[38:2:1:2:3mx', { foreground: '#010203' }],
    ['\u001b[38:5:196;4mx', { foreground: '#ff0000', underline: true }],
    ['\u001b[38;5;999mx', {}],
    ['\u001b[38;2;1;2;999mx', {}],
    ['\u001b[38mx', {}],
    ['\u001b[99;108;30000mx', {}],
    ['\u001b[?31mx', {}],
    ['\u009b32mx', { foreground: 2 }],
  ];
  for (const [output, style] of colours) {
    it(`TE-9: shows ${JSON.stringify(output)} as a terminal would`, () => {
      assert.deepEqual(styleOf(output), style);
      assert.equal(textOf(output), 'x');
    });
  }

  const texts: [string, string][] = [
    ['one\ntwo\n', 'one\ntwo'],
    ['one\r\ntwo', 'one\ntwo'],
    ['10%\r20%\r100%', '100%'],
    ['abcdef\rxy', 'xycdef'],
    ['abcdef\rxy\u001b[K', 'xy'],
    ['abc\u001b[2Kd', '   d'],
    ['abcd\u001b[2D\u001b[1Ke', '  ed'],
    ['ab\b\bX', 'Xb'],
    ['a\u001b[3Cb', 'a   b'],
    ['abc\u001b[2GX', 'aXc'],
    ['a\tb', 'a\tb'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPq#0\u001b\\after', 'after'],
    ['\u001b(Btext', 'text'],
    ['\u001b=text\u001b7', 'text'],
    ['\u0007be\u0000ll', 'bell'],
    ['\u001b[31', ''],
    ['\u001b]0;never ends', '0;never ends'],
    ['\u001b]0;never ends\r\nnext\nlast', '0;never ends\nnext\nlast'],
    ['\u009d8;;https://example.org\nnext', '8;;https://example.org\nnext'],
    ['a\u001bP1$r0m\nnext', 'a\nnext'],
    ['\u001b[12\nnext', '\nnext'],
    ['🎉\ré', 'é '],
  ];
  for (const [output, text] of texts) {
    it(`TE-9: reads ${JSON.stringify(output)} as ${JSON.stringify(text)}`, () => {
      assert.equal(textOf(output), text);
    });
  }

  const screens: [string, string, string][] = [
    ['up and over', 'one\ntwo\n\u001b[2A1\u001b[BX\u001b[Bend', '1ne\ntXo\n  end'],
    ['a line before and after', 'a\nb\n\u001b[2Fx\u001b[Ey', 'x\ny'],
    ['up no further than the first line', 'a\nb\u001b[99Ax', 'ax\nb'],
    ['a row and a column', 'abc\ndef\u001b[1;2HX\u001b[2;4fY', 'aXc\ndefY'],
    ['a row', 'abc\ndef\u001b[1dX', 'abcX\ndef'],
    ['erasing to the end', 'one\ntwo\nthree\n\u001b[2A\u001b[2C\u001b[J', 'one\ntw'],
    ['erasing above', 'one\ntwo\nthree\u001b[2D\u001b[1J', '\n\n    e'],
    ['erasing all', 'one\ntwo\u001b[2J\u001b[Hx', 'x'],
    ['erasing what has scrolled', `${'a\n'.repeat(60)}\u001b[H\u001b[2J\u001b[3Jx`, 'x'],
    ['a new beginning', 'one\ntwo\u001bcx', 'x'],
    ['inserted lines', 'a\nb\nc\u001b[2;1H\u001b[Lx', 'a\nx\nb\nc'],
    ['removed lines', 'a\nb\nc\nd\u001b[2;1H\u001b[2M', 'a\nd'],
    ['inserted characters', 'abc\u001b[2G\u001b[2@X', 'aX bc'],
    ['removed characters', 'abcd\u001b[2G\u001b[2P', 'ad'],
    ['erased characters', 'abcd\u001b[2G\u001b[2X', 'a  d'],
    ['a place gone back to', 'a\u001b7\nb\u001b8c\u001b[2B\u001b[sd\u001b[uD', 'ac\nb\n  D'],
    ['scrolling up and down', 'a\nb\nc\u001b[S\u001b[1;1Hx\u001b[Ty', ' y\nx\nc'],
    ['the line before the first', 'a\u001b[H\u001bMx', 'x\na'],
    ['a part that scrolls', 'a\nb\nc\nd\u001b[2;3r\u001b[3Hx\ny', 'a\nx\ny\nd'],
    ['a last line that stays', '1\n2\n3\u001b[1;2r\u001b[2Hx\ny\u001b[r', '1\nx\ny\n3'],
    ['a program with a screen of its own', 'a\n\u001b[?1049h\u001b[Hpage\u001b[?1049lb', 'a\nb'],
    ['and while it runs', 'a\n\u001b[?1049h\u001b[Hpage', 'a\n\npage'],
    ['a cursor that is hidden', '\u001b[?25la\u001b[?25h', 'a'],
    ['a keyboard that is asked for', 'a\u001b[>1u\u001b[?u\u001b[1;5sb', 'ab'],
  ];
  for (const [name, output, text] of screens) {
    it(`TE-9: shows ${name} as a terminal would`, () => {
      assert.equal(textOf(output), text);
      assert.equal(outputText(output), text);
    });
  }

  it('TE-9: what has left the screen stays, and positions are those of the screen', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `${at}`);
    const shown = textOf(`${lines.join('\n')}\u001b[1;1Htop\u001b[99;1Hend`).split('\n');
    assert.deepEqual(shown, lines.with(76, 'top').with(99, 'end'));
    const far = textOf(`${lines.join('\n')}\r\u001b[999Aup`).split('\n');
    assert.equal(far.indexOf('up'), 50);
    assert.equal(far.length, 100);
  });

  it('TE-9: links have their address until they end, whatever their colors', () => {
    const link = 'https://example.org/?a;b';
    const [line] = linesOf(
      `a\u001b]8;id=1;${link}\u0007b\u001b[31mc\u001b[0md\u001b]8;;\u001b\\e\u001b]8;;x${'y'.repeat(5000)}\u0007f`,
    );
    assert.deepEqual(
      line?.map(({ text, style }) => [text, style]),
      [
        ['a', {}],
        ['b', { link }],
        ['c', { link, foreground: 1 }],
        ['d', { link }],
        ['ef', {}],
      ].map(([text, style]) => [text, style]),
    );
  });

  const pieces = fc.oneof(
    fc.constantFrom('\u001b', '[', ']', '31', ';', 'm', 'K', 'C', '\u0007', '\\', '\r', '\n', '\b'),
    fc.constantFrom(...moves),
    fc.string({ unit: 'binary' }),
  );

  it('TE-9: is the same however the output was cut', () => {
    fc.assert(
      fc.property(fc.array(pieces), (chunks) => {
        assert.deepEqual(linesOf(...chunks), linesOf(chunks.join('')));
      }),
    );
  });

  it('TE-9: never lets a control character through', () => {
    fc.assert(
      fc.property(fc.array(pieces), (chunks) => {
        const shown = linesOf(...chunks).flatMap((line) => line.map((span) => span.text));
        assert.doesNotMatch(shown.join(''), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
      }),
    );
  });

  it('TE-9: cannot be made to fill memory by a few bytes', () => {
    const line = linesOf('\u001b[999999999Cx\u001b[999999999Gy')[0] ?? [];
    assert.ok(line.reduce((length, span) => length + span.text.length, 0) < 5000);
  });

  it('TE-9, SEC-120: moving makes no more cells than a bound in all, and says that something is left out', () => {
    const terminal = new TerminalText();
    terminal.write('before\n');
    terminal.write('\u001b[999Cx\n'.repeat(400));
    terminal.write('after\u001b[9Gx');
    const texts = terminal.lines.map((line) => line.map((span) => span.text).join(''));
    assert.ok(texts.join('').length < 201_000, `${texts.join('').length}`);
    assert.equal(texts.length, 402);
    assert.equal(terminal.isCut, true);
    assert.deepEqual(
      [texts[0], texts[1]?.length, texts[400], texts[401]],
      ['before', 1000, 'x', 'afterx'],
    );
  });

  for (const sequence of moves) {
    it(`TE-9, SEC-120: ${JSON.stringify(sequence)} again and again makes few lines and cells`, () => {
      for (const between of ['x', '\n']) {
        const terminal = new TerminalText();
        terminal.write(`${sequence}${between}`.repeat(2000));
        const cells = terminal.lines.flat().reduce((sum, { text }) => sum + text.length, 0);
        assert.ok(terminal.lines.length <= 4100 && cells <= 202_000);
      }
    });
  }

  it('TE-9: a title that never ends takes no memory, and no line but its own', () => {
    const [first, next] = textOf(`\u001b]0;${'x'.repeat(100_000)}\nnext`).split('\n');
    assert.equal(first?.length, 4096);
    assert.equal(next, 'next');
  });

  it('TE-9: what a program draws with moves on a thousand lines is whole', () => {
    const terminal = new TerminalText();
    terminal.write('name\u001b[80Gok\n'.repeat(1000));
    assert.equal(terminal.isCut, false);
    assert.ok(terminal.lines.every((line) => line.map((span) => span.text).join('').length === 81));
  });

  it('TE-9: a long line stays whole, and erasing it again and again costs no more than its bytes', () => {
    const line = 'x'.repeat(100_000);
    assert.equal(textOf(line), line);
    const terminal = new TerminalText();
    terminal.write(line + '\u001b[1K'.repeat(100_000));
    assert.equal(terminal.isCut, true);
  });

  it('leaves plain text as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]*$/)), (lines) => {
        const text = lines.join('\n');
        assert.equal(textOf(text), text.replace(/\n$/, ''));
      }),
    );
  });
});
