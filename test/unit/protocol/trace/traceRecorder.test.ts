import assert from 'node:assert/strict';
import { placeholder } from '../../../../src/protocol/trace/placeholder';
import { traceLimits } from '../../../../src/protocol/trace/traceFormat';
import { TraceRecorder } from '../../../../src/protocol/trace/traceRecorder';
import { nested } from '../../../support/nested';
import { fc } from '../../../support/properties';
import { allSecretTexts, hasSecret } from '../../../support/secretTexts';
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

  it('T-35, MCP-7, SEC-184: leaves out what the traffic log leaves out, and keeps long texts', async () => {
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

  it('T-35, SEC-184: has no secret, whichever text, member or terminal it is in', async () => {
    for (const text of allSecretTexts) {
      const params = { text, list: [`Run: ${text}`], rawInput: { text }, cursor: '2' };
      for (const message of [{ params }, terminal(text), { error: { code: 1, message: text } }]) {
        const trace = JSON.stringify(await written(message), decoded);
        assert.ok(!hasSecret(trace), `${text} -> ${trace}`);
      }
    }
    const rawInput = {
      ...{ password: 'hunter horse', apiKey: 'hunter', headers: { cookie: 'hunter' } },
      list: [{ name: 'TOKEN', value: 'hunter' }, ['-u', 'ann:hunter'], ['--secret', 'hunter']],
      ...{ author: 'Ann', key: 'ArrowUp', tokens: 5, args: [] },
    };
    const trace = JSON.stringify(await written({ params: { rawInput } }));
    assert.ok(!hasSecret(trace), trace);
    assert.match(trace, /"TOKEN".*"author":"Ann","key":"ArrowUp","tokens":5/);
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

  /** Replaces for `JSON.stringify` what terminals have written by its text. */
  const decoded = (key: string, value: unknown): unknown =>
    key === 'data' ? Buffer.from(String(value), 'base64').toString() : value;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const terminal = (text: string): object => ({
    updates: [
      { sessionUpdate: 'terminal_update', terminalId: 't1', output: { data: base64(text) } },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: base64(text) },
    ],
  });

  it('T-35, V2-TERM-3: what looks like a secret isn’t in the bytes of a terminal either, which stay otherwise', async () => {
    const plain = terminal('Grüße, \u001b[31mred\u001b[0m\r\n');
    assert.deepEqual(await written(plain), plain);
    const bytes = terminal(`é KEY=hunter22x sk-${'a1'.repeat(10)} given-key ü`);
    assert.deepEqual(await written(bytes), terminal('é KEY=‹hidden› ‹hidden› ‹hidden› ü'));
    assert.deepEqual(await written(terminal('é, 12 Bytes\t!'), { texts: 'placeholders' }), {
      ...terminal('xx, 00 Xxxxx\t!'),
    });
  });

  it('T-35, SEC-182: no secret is the name of a member, or anywhere below what is called one', async () => {
    const secrets = [`ghp_${'0a'.repeat(18)}`, 'https://ann:hunter2Zq8@example.org/', 'given-key'];
    const named = Object.fromEntries(secrets.map((secret) => [secret, 1]));
    const rawInput = {
      named,
      cookies: { sid: 'hunter' },
      envVars: [{ name: 'X', value: 'hunter' }],
    };
    for (const texts of ['kept', 'placeholders'] as const) {
      const trace = JSON.stringify(await written({ params: { rawInput } }, { texts }));
      assert.ok(!/0a0a|hunter|given-key/.test(trace), trace);
    }
  });

  it('SEC-182: no path is the name of a member among placeholders', async () => {
    const changes = { '/home/ada/plan.md': 1, 'C:\\ada\\plan': 2, 'plan.md': 3, file_path: 4 };
    assert.deepEqual(await written({ rawInput: { changes } }, { texts: 'placeholders' }), {
      rawInput: {
        changes: { '/xxxx/xxx/xxxx.xx': 1, 'X:\\xxx\\xxxx': 2, 'xxxx.xx': 3, file_path: 4 },
      },
    });
  });

  it('T-35, V2-TERM-3, SEC-182: what is no base64 isn’t taken for the output of a terminal', async () => {
    for (const data of ['export PASSWORD=hunter2Zq8', 'aGk', 'aGk=\n', 'a-_b', '‹']) {
      const update = { sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data };
      for (const texts of ['kept', 'placeholders'] as const) {
        assert.deepEqual(await written({ update }, { texts }), {
          update: { ...update, data: base64('‹hidden›') },
        });
      }
    }
  });

  it('V2-DIFF-4: a patch with placeholders is still a patch, without its paths and lines', async () => {
    const text = [
      'diff --git /home/ada/a.ts /home/ada/b.ts',
      'similarity index 88%',
      'rename from /home/ada/a.ts',
      'rename to /home/ada/b.ts',
      'index 1a2b3c4..5d6e7f8 100644',
      '--- /home/ada/a.ts',
      '+++ /home/ada/b.ts',
      '@@ -12,2 +12,3 @@ function secret() {',
      ' const a = 1;',
      '-const b = "Grüße";',
      '--- gone',
      '+const c = 2;',
      '\\ No newline at end of file',
      'diff --git /home/ada/n /home/ada/n',
      'new file mode 100644',
      'Binary files /dev/null and /home/ada/n differ',
      'Binary files are what I like',
      '--- /dev/null',
      'GIT binary patch',
      '',
    ].join('\n');
    const diff = { type: 'diff', patch: { format: 'git_patch', text } };
    const changes = [{ operation: 'move', oldPath: '/a', path: '/b', fileType: 'text' }];
    assert.deepEqual(await written({ ...diff, changes }, { texts: 'placeholders' }), {
      type: 'diff',
      patch: {
        format: 'git_patch',
        text: [
          'diff --git /xxxx/xxx/x.xx /xxxx/xxx/x.xx',
          'similarity index 88%',
          'rename from /xxxx/xxx/x.xx',
          'rename to /xxxx/xxx/x.xx',
          'index 0x0x0x0..0x0x0x0 000000',
          '--- /xxxx/xxx/x.xx',
          '+++ /xxxx/xxx/x.xx',
          '@@ -12,2 +12,3 @@ xxxxxxxx xxxxxx() {',
          ' xxxxx x = 0;',
          '-xxxxx x = "Xxøøx";',
          '--- xxxx',
          '+xxxxx x = 0;',
          '\\ No newline at end of file',
          'diff --git /xxxx/xxx/x /xxxx/xxx/x',
          'new file mode 100644',
          'Binary files /dev/null and /xxxx/xxx/x differ',
          'Xxxxxx xxxxx xxx xxxx X xxxx',
          '--- /dev/null',
          'GIT binary patch',
          '',
        ].join('\n'),
      },
      changes: [{ operation: 'move', oldPath: '/x', path: '/x', fileType: 'text' }],
    });
    // Agents choose the text.
    for (const part of [' and ', 'Binary files ', '@@ -', '\n']) {
      const long = `Binary files ${part.repeat(200_000 / part.length)} differ`;
      await written({ patch: { text: long } }, { texts: 'placeholders' });
    }
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

  it('SEC-180: ends with a word about it before it is larger than a trace may be', async () => {
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

  it('SEC-180: ends before it has more lines than a trace may have', async () => {
    const limits = { ...traceLimits, lines: 50 };
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header, { limits });
    for (let count = 0; count < 2 * limits.lines; count++) {
      recorder.take('fromAgent', {});
    }
    assert.deepEqual(await recorder.ended, { kind: 'full' });
    assert.equal(file.lines.length, limits.lines);
  });

  it('SEC-181: a slow disk ends it: neither the agent nor the memory waits for the file', async () => {
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

  it('SEC-181: nothing waits for a slow disk beyond what may, however long a message is', async () => {
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header, { maxWaiting: 10_000 });
    recorder.take('fromAgent', { text: 'x'.repeat(6000) });
    recorder.take('fromAgent', { text: 'x'.repeat(6000) });
    assert.deepEqual(await recorder.ended, { kind: 'slow' });
    assert.equal(recorder.messages, 1);
    assert.ok(file.text.length <= 10_000, `${file.text.length} characters`);
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

  it('SEC-184: takes any message: however deep, or with texts that are made to be slow to search', async () => {
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
