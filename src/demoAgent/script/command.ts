import type { Script } from '../turns/turn';
import type { DemoCapabilities } from '../vocabulary/client';

/** A slash command: its entry in the client's list, and its script. */
export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** Whether the client has the capabilities that the script needs; omitted if it needs none. */
  readonly needs?: (client: DemoCapabilities) => boolean;
  readonly run: Script;
}
