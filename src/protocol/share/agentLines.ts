import { type Message, parseBatch, parseMessage } from '../rpc/envelope';

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
