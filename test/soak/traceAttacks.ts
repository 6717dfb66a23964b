import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { headerLine, messageLine } from '../../src/protocol/trace/traceFormat';
import { readTrace } from '../../src/protocol/trace/traceReader';
import { budgets } from './budgets';
import type { Check } from './check';

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
    name: `a trace of ${method} that nobody has answered`,
    run: async ({ size }) => {
      const bytes = traceOf(method, size(20, 8), size(200_000, 50_000));
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

export const traceAttacks: readonly Check[] = openedTraces;
