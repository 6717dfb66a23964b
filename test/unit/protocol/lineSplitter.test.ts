import assert from 'node:assert/strict';
import { LineSplitter } from '../../../src/protocol/lineSplitter';
import { heldBytes } from '../../support/heldBytes';
import { fc, tries } from '../../support/properties';
import { until } from '../../support/until';

interface Result {
  readonly lines: string[];
  readonly oversize: { readonly bytes: number; readonly head: string; readonly tail: string }[];
}

function split(chunks: Iterable<Uint8Array>, maxBytes = 1024): Result {
  const result: Result = { lines: [], oversize: [] };
  const splitter = new LineSplitter({
    maxBytes,
    onLine: (line) => result.lines.push(line),
    onOversize: (line) => result.oversize.push(line),
  });
  for (const chunk of chunks) {
    splitter.push(chunk);
  }
  splitter.end();
  return result;
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const points = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...points, bytes.length].map((end, index) => bytes.subarray(points[index - 1] ?? 0, end));
}

const text = (...parts: string[]): Buffer[] => parts.map((part) => Buffer.from(part));

describe('LineSplitter', () => {
  it('TR-4: a line ends at byte 0x0A, not at other line breaks', () => {
    assert.deepEqual(split(text('a\u2028b\rc\n{"x":1}\n')).lines, ['a\u2028b\rc', '{"x":1}']);
  });

  it('delivers lines that come in pieces', () => {
    assert.deepEqual(split(text('{"a"', ':1}', '\n{"b":2}\n')).lines, ['{"a":1}', '{"b":2}']);
  });

  it('SDK-5: CRLF, a byte order mark and blank lines', () => {
    assert.deepEqual(split(text('\ufeffa\r\n\r\nb\n')).lines, ['a', '', 'b']);
  });

  it('keeps a byte order mark that is not the first thing', () => {
    assert.deepEqual(split(text('a\n\ufeffb\n')).lines, ['a', '\ufeffb']);
  });

  it('TR-1: characters split across chunks', () => {
    const bytes = Buffer.from('日本語🎉\n');
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    assert.deepEqual(split(single).lines, ['日本語🎉']);
  });

  it('invalid UTF-8 becomes U+FFFD and spoils only its own line', () => {
    const bytes = Buffer.concat([
      Buffer.from('a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('\nb\n'),
    ]);
    assert.deepEqual(split([bytes]).lines, ['a\ufffd\ufffd', 'b']);
  });

  it('an unterminated last line is delivered at the end', () => {
    assert.deepEqual(split(text('a\n{"last":1}')).lines, ['a', '{"last":1}']);
  });

  it('SDK-10: a line over the limit is dropped and reported, what follows is intact', () => {
    const long = 'x'.repeat(5000);
    const { lines, oversize } = split(
      text('a\n', long.slice(0, 3000), long.slice(3000), '\nb\n'),
      4000,
    );
    assert.deepEqual(lines, ['a', 'b']);
    assert.deepEqual(oversize, [{ bytes: 5000, head: 'x'.repeat(4096), tail: 'x'.repeat(4096) }]);
  });

  it('a line of exactly the limit passes', () => {
    assert.equal(split(text(`${'x'.repeat(100)}\n`), 100).lines.length, 1);
    assert.equal(split(text(`${'x'.repeat(101)}\n`), 100).lines.length, 0);
  });

  it('holds no more than the head of a line that is too long', async () => {
    const megabyte = 1024 * 1024;
    const chunk = Buffer.alloc(megabyte, 0x61);
    let reported = 0;
    const splitter = new LineSplitter({
      maxBytes: 48 * megabyte,
      onLine: () => assert.fail('no line was to come'),
      onOversize: ({ bytes }) => (reported = bytes),
    });
    const before = heldBytes();
    for (let i = 0; i < 64; i++) {
      splitter.push(chunk);
    }
    // The garbage collector frees buffers a little later, on another thread.
    await until(() => heldBytes() - before < 4 * megabyte);
    splitter.push(Buffer.from('\n'));
    assert.equal(reported, 64 * megabyte);
  });

  it('any chunking gives the same lines', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).map((value) => Buffer.from(value)),
      fc.uint8Array({ maxLength: 20 }).map((value) => Buffer.from(value)),
      fc
        .constantFrom('\n', '\r\n', '\ufeff', '\n\n', '🎉', 'long '.repeat(12))
        .map((value) => Buffer.from(value)),
    );
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.array(fc.nat(400)),
        fc.integer({ min: 1, max: 80 }),
        (pieces, cuts, max) => {
          const bytes = Buffer.concat(pieces);
          assert.deepEqual(split(cut(bytes, cuts), max), split([bytes], max));
        },
      ),
      tries(1000),
    );
  });

  it('the lines are those of the whole text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.array(fc.nat(400)),
        (parts, cuts) => {
          const lines = parts.map((part) => part.replaceAll(/[\n\r\ufeff]/g, ''));
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          assert.deepEqual(split(cut(bytes, cuts), 1e6).lines, lines);
        },
      ),
    );
  });
});
