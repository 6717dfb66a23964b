import { randomUUID } from 'node:crypto';
import type { DemoTurn } from '../turns/turn';
import type { DemoUpdate } from '../vocabulary/updates';
import type { Command } from './command';
import { boundedNumber } from './slow';

/** Updates per write and notification: one write for each would make a long turn slow. */
const batch = 100;

const parts = ['cart', 'checkout', 'catalog', 'search', 'stock', 'invoice', 'email', 'account'];

export const long: Command = {
  name: 'long',
  description: 'A long turn, to see how a long transcript behaves',
  hint: 'number of updates (2000, at most 100000)',
  run: async (turn, argument) => {
    const count = boundedNumber(argument, 2000, 100_000);
    for (let sent = 0; sent < count; sent += batch) {
      const upTo = Math.min(batch, count - sent);
      const updates = Array.from({ length: upTo }, (_, index) => updateAt(turn, sent + index));
      await turn.send(...updates);
      await turn.wait(20);
    }
    await turn.say(`Those were ${count.toLocaleString('en')} updates.`);
    return undefined;
  },
};

/** A mix like that of real agents: mostly tool calls, with text in between. */
function updateAt(turn: DemoTurn, index: number): DemoUpdate {
  const part = parts[Math.floor(index / 4) % parts.length] ?? 'shop';
  const file = turn.path(`src/${part}/step${Math.floor(index / 4)}.ts`);
  switch (index % 4) {
    case 0:
      return {
        sessionUpdate: 'agent_message_chunk',
        messageId: randomUUID(),
        content: { type: 'text', text: `Step ${index / 4 + 1}: look at the **${part}**.` },
      };
    case 1:
      return {
        sessionUpdate: 'agent_thought_chunk',
        messageId: randomUUID(),
        content: { type: 'text', text: `The ${part} may depend on the step before this one.` },
      };
    case 2:
      return {
        sessionUpdate: 'tool_call',
        toolCallId: `long-${turn.id}-${index}`,
        title: `Read src/${part}/step${Math.floor(index / 4)}.ts`,
        kind: 'read',
        status: 'in_progress',
        locations: [{ path: file, line: (index % 120) + 1 }],
      };
    default:
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: `long-${turn.id}-${index - 1}`,
        status: 'completed',
        content: [
          { type: 'content', content: { type: 'text', text: `export const step = ${index};` } },
        ],
      };
  }
}
