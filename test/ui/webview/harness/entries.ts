import type { Entry, MessageKind, ToolCallEntry } from '../../../../src/shared/transcript/entries';

export function message(kind: MessageKind, ...texts: readonly string[]): Entry {
  return { kind, blocks: texts.map((text) => ({ type: 'text', text })) };
}

export const user = (text: string): Entry => message('user', text);
export const agent = (text: string): Entry => message('agent', text);

export function toolCall(call: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return {
    kind: 'toolCall',
    toolCallId: 'call-1',
    title: 'Read src/cart.ts',
    toolKind: 'read',
    status: 'completed',
    content: [],
    locations: [],
    ...call,
  };
}

/** Rows of different heights, a turn every ten rows, whose texts include their index. */
export function conversation(count: number, from = 0): Entry[] {
  return Array.from({ length: count }, (_, offset): Entry => {
    const index = from + offset;
    if (index % 10 === 0) {
      return user(`Question ${index}`);
    }
    if (index % 10 < 4) {
      // Of a kind whose calls aren't folded into one line.
      return toolCall({
        title: `Step ${index}`,
        toolCallId: `call-${index}`,
        toolKind: 'execute',
      });
    }
    return agent(`Answer ${index}\n\n${'Some words that make a line. '.repeat((index % 7) * 4)}`);
  });
}

/** A turn during which the agent's process ended. */
export const failedTurn: Entry = {
  kind: 'turn',
  outcome: {
    type: 'failed',
    canResend: true,
    failure: {
      code: 'exited',
      title: 'Claude has stopped',
      detail: 'Its process ended with exit code 1 in the middle of the turn.',
      actions: ['showLog'],
    },
  },
};
