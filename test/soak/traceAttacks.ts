import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { redactedText } from '../../src/protocol/rpc/traffic';
import { headerLine, messageLine } from '../../src/protocol/trace/traceFormat';
import { readTrace } from '../../src/protocol/trace/traceReader';
import { TraceRecorder } from '../../src/protocol/trace/traceRecorder';
import { budgets } from './budgets';
import type { Check } from './check';
import { sessionId } from './world';

/** Requests that wait for an answer, to the end of the trace. */
const asked = [
  'initialize',
  'session/list',
  'session/new',
  'session/fork',
  'session/load',
  'session/resume',
  'session/prompt',
  'session/set_config_option',
];

/** A trace of such requests, whose params are small as a text and large as objects. */
function traceOf(method: string, count: number, values: number): Buffer {
  const lines = Array.from({ length: count }, (_, id) =>
    messageLine(id, 'toAgent', {
      ...{ jsonrpc: '2.0', id, method },
      params: { sessionId: `s${id}`, x: Array.from({ length: values }, () => ({})) },
    }),
  );
  const header = {
    client: '1.2.3',
    agent: 'Gull',
    began: '',
    from: 'start',
    texts: 'kept',
  } as const;
  return Buffer.from([headerLine(header), ...lines].join(''));
}

/** Bytes of the heap after a garbage collection. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Attacks on whoever opens a trace. */
const openedTraces = asked.map(
  (method): Check => ({
    // SEC-179
    name: `a trace of ${method} that nobody has answered`,
    run: async ({ size }) => {
      const bytes = traceOf(method, size(20, 4), size(200_000, 20_000));
      let at = 0;
      let held = 0;
      const before = heap();
      const file = {
        read: async (buffer: Uint8Array) => {
          await setImmediate();
          const part = bytes.subarray(at, at + buffer.length);
          buffer.set(part);
          at += part.length;
          if (part.length === 0) {
            held = heap() - before;
          }
          return { bytesRead: part.length, buffer };
        },
      };
      await readTrace(file as never, new AbortController().signal);
      assert.equal(at, bytes.length);
      const most = budgets.trace * bytes.length;
      assert.ok(held <= most, `${held} bytes are held for ${bytes.length} of the trace`);
      return `${held} bytes are held for ${bytes.length}`;
    },
  }),
);

/** The places in what an agent sends where a secret may stand, beside its texts. */
const places: Readonly<Record<string, (secret: string, word: string) => object>> = {
  'the name of a member': (secret) => ({ rawInput: { changes: { [secret]: 1 } } }),
  'a list below its name': (secret) => ({ rawInput: { password: ['a', [secret]] } }),
  'an object below its name': (secret, word) => ({ rawInput: { cookies: { [word]: secret } } }),
  'variables however they are spelled': (secret, word) => ({
    rawInput: { Environment: { [word]: secret }, envVars: [{ name: word, value: secret }] },
  }),
  'what should be base64': (secret) => ({ sessionUpdate: 'terminal_output_chunk', data: secret }),
};

/** Attacks on what is written of messages, in a trace and in the log of the traffic. */
const writtenMessages = Object.entries(places).map(
  ([name, place]): Check => ({
    // SEC-182
    name: `a secret in ${name}`,
    run: async ({ size, random }) => {
      const count = size(5000, 200);
      for (let at = 0; at < count; at++) {
        const letters = Array.from({ length: 36 }, () => random.below(36).toString(36)).join('');
        const secret =
          random.below(2) === 0 ? `ghp_${letters}` : `https://ann:${letters}@h.example/`;
        const update = { sessionUpdate: 'tool_call', ...place(secret, `w${at}`) };
        const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
        const log = redactedText(message);
        assert.ok(!log.includes(letters), log);
        for (const texts of ['kept', 'placeholders'] as const) {
          const lines: string[] = [];
          const recorder = new TraceRecorder(
            {
              write: (text) => Promise.resolve(void lines.push(text)),
              close: () => Promise.resolve(),
            },
            { client: '1.2.3', agent: 'Gull', began: '', from: 'start', texts },
          );
          recorder.take('fromAgent', message);
          await recorder.stop();
          assert.ok(!lines.join('').includes(letters), lines.join(''));
        }
      }
      return `${count} secrets`;
    },
  }),
);

const longLog: Check = {
  name: 'messages of very many values in the log',
  run: ({ size, random }) => {
    const most = size(200_000, 20_000);
    const nest = (depth: number): unknown =>
      depth === 0
        ? 'x'.repeat(random.below(500))
        : Object.fromEntries(
            Array.from({ length: 6 }, (_, at) => [
              `${'n'.repeat(random.below(400))}${at}`,
              nest(depth - 1),
            ]),
          );
    const messages = [
      nest(size(6, 5)),
      Object.fromEntries(Array.from({ length: most }, (_, at) => [`${'k'.repeat(50)}${at}`, at])),
      { ['k'.repeat(25 * most)]: 1, method: 'm'.repeat(25 * most) },
    ];
    const lengths = messages.map((params) => redactedText({ jsonrpc: '2.0', params }).length);
    assert.ok(Math.max(...lengths) <= budgets.logLine, lengths.join(', '));
    return Promise.resolve(`${lengths.join(', ')} characters`);
  },
};

export const traceAttacks: readonly Check[] = [...openedTraces, ...writtenMessages, longLog];
