import type { SessionUpdateEvent } from '../agentConnection';
import type { OversizeLine } from '../lineSplitter';
import type { Message } from './envelope';

/** Takes the place of a message that was dropped because of its size. */
export type Substitute =
  | { readonly kind: 'update'; readonly event: SessionUpdateEvent }
  | { readonly kind: 'answer'; readonly message: Message }
  /** The message is a request, and this is the answer to it. */
  | { readonly kind: 'refusal'; readonly message: Message };

/** How one version of the protocol reads the messages that never reach the SDK. */
export interface MessageReader {
  /** Returns the update in the params of a `session/update`, or why it can't be used. Never throws. */
  readUpdate(params: unknown): SessionUpdateEvent | string;
  /** Whether a line may be a JSON-RPC batch, whose messages are taken one by one (V2-RPC-1). */
  readonly takesBatches?: boolean;
  /** The notifications that say no more than that the list of sessions has changed. */
  readonly listChanges: ReadonlySet<unknown>;
  /** Returns `undefined` if it can't be told what the message was. */
  substituteFor(line: OversizeLine): Substitute | undefined;
}
