import assert from 'node:assert/strict';
import { StderrLines } from '../../../../src/protocol/transport/stderrLines';

function read(text: string): { readonly lines: string[]; readonly tail: readonly string[] } {
  const lines: string[] = [];
  const stderr = new StderrLines({
    log: (line) => lines.push(line),
    say: () => undefined,
  });
  stderr.push(Buffer.from(text));
  stderr.end();
  return { lines, tail: stderr.tail };
}

describe('StderrLines', () => {
  it('TR-6: hands on lines without colors, the unterminated last one too', () => {
    assert.deepEqual(read('\u001b[31mbad\u001b[0m\r\n\n\u001b[2K\nlast').lines, ['bad', 'last']);
  });

  it('TR-6: five megabytes without a line end are one bounded line', () => {
    const { lines } = read('e'.repeat(5_000_000));
    assert.equal(lines.length, 1);
    assert.ok((lines[0] ?? '').length < 1200);
    assert.match(lines[0] ?? '', /5000000 bytes/);
  });

  it('TR-6: a flood of lines is cut down, and says by how much', () => {
    const { lines, tail } = read(Array.from({ length: 50_000 }, (_, i) => `line ${i}\n`).join(''));
    assert.ok(lines.length < 2000, `${lines.length}`);
    assert.match(lines.at(-1) ?? '', /more lines/);
    assert.deepEqual(
      tail,
      Array.from({ length: 100 }, (_, i) => `line ${i + 49_900}`),
    );
  });

  it('TR-6: what is passed on is bounded in sum, which is said once; the last lines are still there', () => {
    let now = 0;
    const clock = performance.now.bind(performance);
    performance.now = () => now;
    try {
      const lines: string[] = [];
      const stderr = new StderrLines({
        log: (line) => lines.push(line),
        say: () => undefined,
      });
      const line = Buffer.from(`${'x'.repeat(1023)}\n`);
      for (let count = 0; count < 8192; count++) {
        now += 100;
        stderr.push(line);
      }
      stderr.push(Buffer.from('last\n'));
      stderr.end();
      assert.ok(lines.join('').length < 4.1 * 1024 * 1024, `${lines.join('').length}`);
      assert.match(lines.at(-1) ?? '', /logging stopped/);
      assert.equal(lines.filter((text) => text.startsWith('…')).length, 1);
      assert.equal(stderr.tail.at(-1), 'last');
    } finally {
      performance.now = clock;
    }
  });
});
