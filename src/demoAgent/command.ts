import type { ClientCapabilities } from '@agentclientprotocol/sdk/unstable';
import type { Script } from './turn';

/** A slash command: what the client lists, and the script behind it. */
export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** Whether this client can do what the script needs; every client can when absent. */
  readonly needs?: (client: ClientCapabilities) => boolean;
  readonly run: Script;
}
