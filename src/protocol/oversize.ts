import type { SessionUpdateEvent } from './agentConnection';
import type { OversizeLine } from './lineSplitter';
import type { Message } from './messages';

const jsonString = '"(?:[^"\\\\]|\\\\.)*"';
const updateHead = new RegExp(
  `"method"\\s*:\\s*"session/update"[^{]*\\{\\s*"sessionId"\\s*:\\s*(${jsonString})`,
);
const answerHead = new RegExp(
  `^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"id"\\s*:\\s*(-?\\d+|${jsonString})\\s*,` +
    `\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"(?:result|error)"`,
);

export type Substitute =
  | { readonly kind: 'update'; readonly event: SessionUpdateEvent }
  | { readonly kind: 'answer'; readonly message: Message };

/**
 * What stands in for a message that was dropped for its size: a placeholder in the transcript, where
 * the update would have been, or an error answer, so that nobody waits for the lost one. Undefined
 * when its head doesn't tell what it was.
 */
export function substituteFor(line: OversizeLine): Substitute | undefined {
  const sessionId = parsed(updateHead.exec(line.head)?.[1]);
  if (typeof sessionId === 'string') {
    const label = `${megabytes(line.bytes)}, too large to show`;
    const content = { type: 'unknown', label } as const;
    return {
      kind: 'update',
      event: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
    };
  }
  const id = parsed(answerHead.exec(line.head)?.[1]);
  if (id === undefined) {
    return undefined;
  }
  const message = `The answer was dropped: ${megabytes(line.bytes)} is more than a message may have`;
  return { kind: 'answer', message: { jsonrpc: '2.0', id, error: { code: -32600, message } } };
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10_485_760 ? 1 : 0)} MB`;
}

function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
