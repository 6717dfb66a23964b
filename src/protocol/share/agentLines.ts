import { type Message, parseBatch, parseMessage } from '../rpc/envelope';

/** The beginning of nearly all lines, which needn't be read. */
const updateHead = /^\{"jsonrpc":"2\.0","method":"session\/update"/;

/** Those that concern other clients, or name a session that this client may use from now on. */
const notedKinds = /"(?:session_info_update|subagent_update|subagent_spawned|state_update)"/;

/** Whether the line is an update that only concerns its client. */
export function isPlainUpdate(line: string): boolean {
  return updateHead.test(line) && !notedKinds.test(line);
}

/**
 * The messages on a line of an agent, each with its text as it can be passed on, which is all of the line if that is
 * one message; none if it is noise. Only version 2 has batches, whose messages are passed on one by one (V2-RPC-1).
 */
export function messagesOn(
  line: string,
  version: unknown,
): readonly { readonly message: Message; readonly text: string }[] {
  const message = parseMessage(line);
  if (message !== undefined) {
    return [{ message, text: line.startsWith('{') ? line : JSON.stringify(message) }];
  }
  const batch = version === 2 ? parseBatch(line) : undefined;
  return batch?.map((one) => ({ message: one, text: JSON.stringify(one) })) ?? [];
}
