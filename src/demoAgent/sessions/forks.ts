import type { ForkSessionRequest } from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { unusable } from '../vocabulary/requestErrors';

const metaSchema = z.object({
  jetbrains: z.object({
    air: z.object({ fork: z.object({ version: z.literal(1), messageId: z.string() }) }),
  }),
});

/** The message that the client wants a fork to end with, if it names one. */
export function findForkPoint({ _meta }: ForkSessionRequest): string | undefined {
  return metaSchema.safeParse(_meta).data?.jetbrains.air.fork.messageId;
}

/** The history up to a message. Throws -32602 for one that isn't in it. */
export function historyUntil(
  history: readonly DemoUpdate[],
  messageId: string,
): readonly DemoUpdate[] {
  const last = history.findLastIndex(
    (update) => 'messageId' in update && update.messageId === messageId,
  );
  if (last === -1) {
    throw unusable(`Fork point message ${messageId} was not found in the session`);
  }
  return history.slice(0, last + 1);
}
