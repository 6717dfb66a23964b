import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { EventSplitter } from '../../../../../../src/features/remote/model/transport/eventSplitter';
import { isUpdate } from '../../../../../../src/features/remote/model/transport/routes';
import { heldBytes } from '../../../../../support/heldBytes';
import { until } from '../../../../../support/until';

const update = (text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { text } });
const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });

/** What comes out, in order, of bytes that arrive in pieces of this length; read only at the end. */
function split(text: string, length: number, maxBytes = 1000): string[] {
  const parts: Buffer[] = [];
  const splitter = new EventSplitter({
    maxBytes,
    isLine: isUpdate,
    onLines: (lines) => parts.push(lines),
    onData: (data) => parts.push(data, Buffer.from('\n')),
    onOversize: () => parts.push(Buffer.from('too large\n')),
  });
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += length) {
    splitter.push(Buffer.from(bytes.subarray(from, from + length)));
  }
  return Buffer.concat(parts).toString().split('\n').slice(0, -1);
}

describe('server-sent events', () => {
  it('HTTP-5: come out as lines in their order, however they are divided', () => {
    const events = [
      `data: ${update('a')}\n\n`,
      `data:${update('b')}\n\n`,
      `data: ${answer}\n\n`,
      `: a comment\n\n`,
      `id: 7\ndata: ${update('c')}\n\n`,
      `data: ${update('d')}\r\n\r\n`,
      `data: {"jsonrpc":"2.0",\ndata: "method":"session/update"}\n\n`,
      `data: ${update('é€😀')}\n\n`,
      `data: ${update('e')}\n\n`,
    ];
    const lines = [
      ...[update('a'), update('b'), answer, update('c'), update('d')],
      ...['{"jsonrpc":"2.0", "method":"session/update"}', update('é€😀'), update('e')],
    ];
    const text = events.join('');
    for (let length = 1; length <= Buffer.byteLength(text); length++) {
      assert.deepEqual(split(text, length), lines, `pieces of ${length} bytes`);
    }
  });

  it('that are too large are told once, and nothing follows', () => {
    const text = `data: ${update('a')}\n\ndata: ${update('x'.repeat(2000))}\n\ndata: ${answer}\n\n`;
    for (const length of [1, 100, text.length]) {
      assert.deepEqual(split(text, length), [update('a'), 'too large']);
    }
  });

  it('SEC-154: that are too large are told by the count of their lines, empty ones too', () => {
    const lines = 'data:\n'.repeat(2000);
    for (const length of [1, 100, lines.length]) {
      assert.deepEqual(split(lines, length), ['too large']);
    }
    assert.deepEqual(split(`${'data:\n'.repeat(900)}\n`, 100), [' '.repeat(899)]);
  });

  it('SEC-154: hold nothing of what came between the lines that they keep', async () => {
    const splitter = new EventSplitter({
      maxBytes: 100_000,
      isLine: isUpdate,
      onLines: () => undefined,
      onData: () => undefined,
      onOversize: () => assert.fail('too large'),
    });
    const before = heldBytes();
    for (let count = 0; count < 500; count++) {
      splitter.push(Buffer.from(`data: x\n:${'c'.repeat(32_000)}\n`));
    }
    await until(() => heldBytes() - before < 4_000_000);
    assert.equal(splitter.heldBytes, 1000);
  });
});
