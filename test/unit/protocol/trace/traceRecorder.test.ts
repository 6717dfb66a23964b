import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeholder } from '../../../../src/protocol/trace/placeholder';
import { traceLimits } from '../../../../src/protocol/trace/traceFormat';
import { TraceRecorder } from '../../../../src/protocol/trace/traceRecorder';
import { nested } from '../../../support/nested';
import { until } from '../../../support/until';
import { header, MemoryFile } from './traceBench';

describe('TraceRecorder', () => {
  async function written(message: object, more: Partial<typeof header> = {}): Promise<unknown> {
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, { ...header, ...more });
    recorder.take('toAgent', message, (text) => text.replaceAll('given-key', '‹hidden›'));
    await recorder.stop();
    return file.lines[1]?.['msg'];
  }

  it('writes a header, and each message with its direction and time, in order', async () => {
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header);
    recorder.take('toAgent', { jsonrpc: '2.0', id: 0, method: 'initialize' });
    recorder.take('fromAgent', { jsonrpc: '2.0', id: 0, result: {} });
    await recorder.stop();
    assert.deepEqual(await recorder.ended, { kind: 'stopped' });
    const [first, ...rest] = file.lines;
    assert.deepEqual(first, { format: 'acp-sessions-trace', version: 1, ...header });
    assert.deepEqual(
      rest.map(({ dir, msg }) => ({ dir, msg })),
      [
        { dir: 'out', msg: { jsonrpc: '2.0', id: 0, method: 'initialize' } },
        { dir: 'in', msg: { jsonrpc: '2.0', id: 0, result: {} } },
      ],
    );
    assert.ok(rest.every(({ t }) => Number.isInteger(t)));
    assert.ok(file.isClosed);
    recorder.take('fromAgent', { late: true });
    assert.equal(recorder.messages, 2);
  });

  it('T-35, MCP-7: leaves out what the traffic log leaves out, and keeps long texts', async () => {
    const long = 'word '.repeat(1000);
    const message = {
      id: 1,
      result: { content: 's3cret', output: 's3cret' },
      params: {
        mcpServers: [
          { name: 'a', command: 'b', args: ['s3cret'], env: [{ name: 'T', value: 's3cret' }] },
        ],
        servers: [{ url: 'https://s3cret', headers: { h: 's3cret' } }],
        content: { pin: 's3cret' },
        text: long,
        'given-key': 'the given-key here',
      },
    };
    const text = JSON.stringify(await written(message));
    assert.ok(!text.includes('s3cret') && !text.includes('given-key'), text);
    assert.ok(text.includes(long));
  });

  it('T-35: leaves out what looks like a secret in a text, but not in a cursor', async () => {
    const cursor = 'eyJvZmZzZXQiOjUwfQAAAA';
    const params = { text: `It is sk-${'a1'.repeat(10)}, password: hunter22x`, cursor };
    assert.deepEqual(await written({ params }), {
      params: { text: 'It is ‹hidden›, password: ‹hidden›', cursor },
    });
  });

  it('keeps of _meta what a transcript needs', async () => {
    const _meta = {
      claudeCode: { parentToolUseId: 'call-1', vendor: 's3cret' },
      terminal_output: { terminal_id: 't1', data: 'out' },
      steering: { supported: true, count: 3 },
      auth: { env: { data: 's3cret' } },
    };
    assert.deepEqual(await written({ params: { _meta } }), {
      params: {
        _meta: {
          claudeCode: { parentToolUseId: 'call-1', vendor: '‹hidden›' },
          terminal_output: { terminal_id: 't1', data: 'out' },
          steering: { supported: true, count: 3 },
          auth: { env: { data: '‹hidden›' } },
        },
      },
    });
  });

  it('replaces texts by placeholders, and keeps ids, kinds, sizes and order', async () => {
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 'call-1',
      kind: 'edit',
      title: 'Edit Grüße.ts',
      content: [{ type: 'diff', path: '/home/user/a.ts', oldText: null, newText: 'a = 1;\n' }],
      rawInput: { file_path: '/home/user/a.ts', 'What is it?': 'Mine', line: 7 },
    };
    const message = { method: 'session/update', params: { sessionId: 's1', update } };
    assert.deepEqual(await written(message, { texts: 'placeholders' }), {
      method: 'session/update',
      params: {
        sessionId: 's1',
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: 'call-1',
          kind: 'edit',
          title: 'Xxxx Xxøøx.xx',
          content: [{ type: 'diff', path: '/xxxx/xxxx/x.xx', oldText: null, newText: 'x = 0;\n' }],
          rawInput: { file_path: '/xxxx/xxxx/x.xx', 'Xxxx xx xx?': 'Xxxx', line: 7 },
        },
      },
    });
    assert.deepEqual(await written({ type: 'two words' }, { texts: 'placeholders' }), {
      type: 'xxx xxxxx',
    });
  });

  it('a placeholder is as long as its text, in characters and in bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const shown = placeholder(text);
        assert.equal(shown.length, text.length);
        assert.equal(Buffer.byteLength(shown), Buffer.byteLength(text));
        assert.match(shown, /^[^\p{L}\p{N}]*(?:[xX0ø字𝒙][^\p{L}\p{N}]*)*$/u);
      }),
    );
  });

  it('ends with a word about it before it is larger than a trace may be', async () => {
    const limits = { ...traceLimits, bytes: 10_000 };
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header, { limits });
    for (let size = 0; size < 2 * limits.bytes; size += 100) {
      recorder.take('fromAgent', { text: 'x'.repeat(100) });
    }
    assert.deepEqual(await recorder.ended, { kind: 'full' });
    assert.ok(file.text.length <= limits.bytes && file.text.length > limits.bytes / 2);
    assert.equal(file.lines.at(-1)?.['ended'], 'full');
  });

  it('ends before it has more lines than a trace may have', async () => {
    const limits = { ...traceLimits, lines: 50 };
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header, { limits });
    for (let count = 0; count < 2 * limits.lines; count++) {
      recorder.take('fromAgent', {});
    }
    assert.deepEqual(await recorder.ended, { kind: 'full' });
    assert.equal(file.lines.length, limits.lines);
  });

  it('a slow disk ends it: neither the agent nor the memory waits for the file', async () => {
    const file = new MemoryFile();
    let go: (() => void) | undefined;
    file.onWrite = () => new Promise((resolve) => (go = resolve));
    const recorder = new TraceRecorder(file, header, { maxWaiting: 10_000 });
    for (let size = 0; size < 20_000; size += 100) {
      recorder.take('fromAgent', { text: 'x'.repeat(100) });
    }
    assert.ok(recorder.messages < 120, `${recorder.messages}`);
    await until(() => go !== undefined);
    file.onWrite = () => Promise.resolve();
    go?.();
    assert.deepEqual(await recorder.ended, { kind: 'slow' });
    assert.equal(file.lines.at(-1)?.['ended'], 'slow');
  });

  it('a full disk ends it with the reason, also when that shows at the end', async () => {
    const error = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    for (const first of [false, true]) {
      const file = new MemoryFile();
      file.onWrite = () => (first ? Promise.reject(error) : Promise.resolve());
      const recorder = new TraceRecorder(file, header);
      if (!first) {
        await until(() => file.text !== '');
        file.onWrite = () => Promise.reject(error);
      }
      recorder.take('fromAgent', { a: 1 });
      await recorder.stop();
      assert.deepEqual(await recorder.ended, { kind: 'failed', error });
      assert.ok(file.isClosed);
    }
  });

  it('takes any message: however deep, or with texts that are made to be slow to search', async () => {
    assert.ok(JSON.stringify(await written({ deep: nested(50_000) })).length < 2_000);
    const size = 200_000;
    const texts = [
      'a://',
      'key',
      ' ',
      '-key ',
      'key="',
      `bearer${' '.repeat(50)}`,
      'sk-',
      'key=a.',
    ];
    for (const text of texts) {
      await written({ text: text.repeat(size / text.length) });
    }
  });
});
