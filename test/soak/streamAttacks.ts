import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { EventSplitter } from '../../src/protocol/transport/remote/eventSplitter';
import { isUpdate } from '../../src/protocol/transport/remote/routes';
import { heldBytes } from '../support/heldBytes';
import { until } from '../support/until';
import { budgets } from './budgets';
import type { Check } from './check';
import { flood } from './world';

const mebibyte = 1024 * 1024;
const chunkBytes = 16_384;

/** What is sent again and again in one event without an end, and how many bytes of it an event has. */
const lines: readonly (readonly [name: string, line: string, counted: number])[] = [
  ['empty lines of data', 'data:\n', 1],
  ['lines of a byte', 'data: x\r\n', 2],
  ['a line without an end', 'x', 1],
  ['lines of a byte between long comments', `data: x\n:${'c'.repeat(chunkBytes)}\n`, 2],
  ['comments', ': comment\n', 0],
];

/** Attacks by the server of an agent on another machine. */
export const streamAttacks: readonly Check[] = lines.map(
  ([name, line, counted]): Check => ({
    name: `a stream of events: ${name}`,
    run: async ({ size }) => {
      const maxBytes = size(4, 0.25) * mebibyte;
      const mostSent = size(256, 8) * mebibyte;
      const ends: number[] = [];
      const splitter = new EventSplitter({
        maxBytes,
        isLine: isUpdate,
        onLines: () => undefined,
        onData: () => undefined,
        onOversize: () => ends.push(splitter.heldBytes),
      });
      const perChunk = Math.ceil(chunkBytes / line.length);
      const chunk = line.repeat(perChunk);
      /** Sends what has so many bytes of an event; of what has few, only as much as there is time for. */
      const send = async (bytes: number): Promise<number> => {
        const sent = Math.min(mostSent, (bytes / (counted || 1)) * line.length);
        await flood(Math.ceil(sent / chunk.length), () => splitter.push(Buffer.from(chunk)));
        return (sent / line.length) * counted;
      };
      const before = heldBytes();
      const half = await send(maxBytes / 2);
      await until(() => heldBytes() - before <= budgets.events * half + mebibyte);
      assert.deepEqual(ends, []);
      const twice = await send(maxBytes * 2);
      assert.equal(ends.length, half + twice > maxBytes ? 1 : 0);
      return `${Math.round(half)} and ${Math.round(twice)} bytes of an event, ${ends.length} ended`;
    },
  }),
);
