import type { SessionUpdate } from '../../protocol/updates';
import type { TurnFacts } from '../../shared/transcript/entries';
import type { Agent } from '../agent';
import type { TurnRecorders } from '../changes/turnRecorder';
import type { SessionPlaces } from '../places/sessionPlaces';
import type { Log, McpServers, PermissionRules, SystemPrompts, Terminals } from '../ports';
import type { FileRequests } from '../requests/fileRequests';
import type { TurnNotes } from '../transcript/turnNotes/turnNotes';
import type { OwnServers } from './ownServers';
import type { ProvidedContext } from './providedContext';
import type { SessionLimits } from './sessionLink';

/** The services that a session gets from its owner. */
export interface SessionHost {
  readonly limits: SessionLimits;
  readonly log: Log;
  readonly files: FileRequests;
  readonly terminals: Terminals;
  readonly rules: PermissionRules;
  readonly mcp: McpServers;
  readonly ownServers?: OwnServers | undefined;
  readonly promptContext: Pick<ProvidedContext, 'read'>;
  readonly systemPrompts?: SystemPrompts | undefined;
  /** The agent in its current configuration; `undefined` when it is no longer configured. */
  currentAgent(): Agent | undefined;
  /** Settles when the agent has closed an earlier instance of the session, if there was one. */
  readonly closing: Promise<void>;
  readonly places: Pick<SessionPlaces, 'mustBeThere' | 'workspace' | 'realPath'>;
  /** Folders that the user has chosen, see `SessionPlaces.chosen`. */
  chosen(): readonly string[];
  /** `gone` settles when the agent has closed the session. */
  onClosed(gone: Promise<void>): void;
  /** `turn`: the one that has ended, if its prompt was sent. */
  happened(kind: Happening, turn?: TurnFacts): void;
  /** Which ids of the agent belong to subagents, see `SubagentsHost`. */
  readonly subagents: {
    adopt(sessionId: string): boolean;
    early(sessionId: string): readonly SessionUpdate[];
    release(sessionIds: Iterable<string>): void;
    /** Whether this is the id of a subagent of any session. */
    has(sessionId: string): boolean;
  };
  /** What is known of turns and no agent replays; nothing if it is missing. */
  readonly notes?: Pick<TurnNotes, 'of' | 'note'> | undefined;
  /** Records what turns change; nothing does if it is missing. */
  readonly recorders?: TurnRecorders | undefined;
}

/** Events that are worth a notification while the session isn't visible. */
export type Happening = 'turnEnded' | 'needsAnswer' | 'failed';

export type Notice = Extract<SessionUpdate, { sessionUpdate: 'notice' }>;
