import assert from 'node:assert/strict';
import { readPrintedLine } from '../../../../src/model/agents/printedLine';

describe('a line that an agent prints', () => {
  it('is one clean, readable line without secrets', () => {
    for (const [line, words] of [
      ['\u001b[32mOpening browser\u001b[0m to\tsign in…\u202e', 'Opening browser to sign in…'],
      ['Visit https://a.example/in?state=s3cret#t=1 now', 'Visit https://a.example/in?… now'],
      ['Go to http://localhost:4000/#s3cret.', 'Go to http://localhost:4000/?…'],
      ['token: s3cret-123456 taken', 'token: ‹hidden› taken'],
      ['⠋ ───', ''],
      ['', ''],
    ] as const) {
      assert.equal(readPrintedLine(line).words, words);
    }
  });

  it('gives its first address as it is to be opened', () => {
    for (const [line, address] of [
      [
        'visit: https://a.example/in?to=https%3A%2F%2Fb.example%2Fc&s=a%3D.',
        'https://a.example/in?to=https%3A%2F%2Fb.example%2Fc&s=a%3D',
      ],
      ['(see <https://a.example/in>, or https://b.example/)', 'https://a.example/in'],
      ['**https://a.example/in**', 'https://a.example/in'],
      [
        '\u001b]8;;https://evil.example\u0007https://a.example/in\u001b]8;;\u0007',
        'https://a.example/in',
      ],
      ['http://a.example/in', undefined],
      ['command:https', undefined],
      // Truncated by the program that printed it, or on the way.
      ['https://a.example/in?code=12…', undefined],
    ] as const) {
      assert.equal(readPrintedLine(line).address, address, line);
    }
  });

  it('SEC-126: is bounded: at twice the size it is cut, and its address isn’t offered in part', () => {
    const long = readPrintedLine(`Say ${'words '.repeat(2 * 200)}`);
    assert.ok(long.words.length <= 201 && long.words.endsWith('…'), `${long.words.length}`);
    const { words, address } = readPrintedLine(`https://a.example/${'a'.repeat(2 * 8192)}`);
    assert.equal(address, undefined);
    assert.ok(words.length <= 201);
  });
});
