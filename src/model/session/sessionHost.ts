import type { SessionUpdate } from '../../protocol/updates';
import type { Agent } from '../agents/agent';
import type { SessionPlaces } from '../places/sessionPlaces';
import type { Log, McpServers, PermissionRules, Terminals } from '../ports';
import type { FileRequests } from '../requests/fileRequests';
import type { SessionLimits } from './sessionLink';

/** What a session needs of those who keep it. */
export interface SessionHost {
  readonly limits: SessionLimits;
  readonly log: Log;
  readonly files: FileRequests;
  readonly terminals: Terminals;
  readonly rules: PermissionRules;
  readonly mcp: McpServers;
  /** The agent as it is configured now; `undefined` when it no longer is. */
  currentAgent(): Agent | undefined;
  /** Settles when the agent has let go of the session, if it was open before. */
  readonly closing: Promise<void>;
  readonly places: Pick<SessionPlaces, 'mustBeThere' | 'workspace' | 'realPath'>;
  /** Folders that a person has chosen, see `SessionPlaces.chosen`. */
  chosen(): readonly string[];
  /** `gone` settles when the agent has let go of it. */
  onClosed(gone: Promise<void>): void;
  happened(kind: Happening): void;
}

/** What a person who looks elsewhere may want to hear of. */
export type Happening = 'turnEnded' | 'needsAnswer' | 'failed';

export type Notice = Extract<SessionUpdate, { sessionUpdate: 'notice' }>;
