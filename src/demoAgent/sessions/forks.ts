import type { ForkSessionRequest } from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod';
import { unusable } from '../vocabulary/errors';
import type { DemoUpdate } from '../vocabulary/updates';

/**
 * Where forks at a message end: at the message, as with Claude; at the end of its turn, as with Codex; or nowhere, as
 * with agents that don't know such forks.
 */
export const forkKinds = ['message', 'turn', 'whole'] as const;
export type ForkKind = (typeof forkKinds)[number];

const metaSchema = z.object({
  jetbrains: z.object({
    air: z.object({ fork: z.object({ version: z.literal(1), messageId: z.string() }) }),
  }),
});

/** The message that the client wants a fork to end with, if it names one. */
export function forkPointOf({ _meta }: ForkSessionRequest): string | undefined {
  return metaSchema.safeParse(_meta).data?.jetbrains.air.fork.messageId;
}

/** The part of a history that a fork gets. Throws -32602 for a message that isn't in it. */
export function cutHistory(
  history: readonly DemoUpdate[],
  messageId: string,
  kind: ForkKind,
): readonly DemoUpdate[] {
  if (kind === 'whole') {
    return history;
  }
  const last = history.findLastIndex((update) => idOf(update) === messageId);
  if (last === -1) {
    throw unusable(`Fork point message ${messageId} was not found in the session`);
  }
  if (kind === 'message') {
    return history.slice(0, last + 1);
  }
  const next = history.findIndex(
    (update, index) =>
      index > last &&
      update.sessionUpdate === 'user_message_chunk' &&
      update.messageId !== messageId,
  );
  return next === -1 ? history : history.slice(0, next);
}

function idOf(update: DemoUpdate): string | null | undefined {
  return 'messageId' in update ? update.messageId : undefined;
}
