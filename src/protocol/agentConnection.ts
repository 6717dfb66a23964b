import type { Disposable } from '../util/disposable';
import type { Event } from '../util/emitter';
import type { JsonObject } from '../util/json';
import type { AcpError } from './errors';
import type { SessionUpdate } from './updates';

/** What an agent can do, computed once from its `initialize` result (INIT-8 to INIT-10, INIT-16). */
export interface AgentCapabilities {
  readonly load: boolean;
  readonly list: boolean;
  readonly resume: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly fork: boolean;
  readonly archive: boolean;
  readonly title: boolean;
  readonly additionalDirectories: boolean;
}

/** INIT-14. */
export interface AgentInfo {
  /** `title`, else `name`; absent when the agent says neither. */
  readonly title?: string;
  readonly version?: string;
}

/** One row of `session/list` (LIST-12), checked. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title?: string;
  /** As sent; checked where it is compared (LIST-15). */
  readonly updatedAt?: string;
  readonly _meta?: JsonObject;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Opaque, sent back byte for byte (LIST-6); absent at the end (LIST-7). */
  readonly nextCursor?: string;
}

/** Which session to load, and in which folder: always the session's own cwd (LOAD-3). */
export interface SessionTarget {
  readonly sessionId: string;
  readonly cwd: string;
  /** Left out of the request unless the agent advertises them (DIR-1). */
  readonly additionalDirectories: readonly string[];
}

export interface SessionUpdateEvent {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

/**
 * A live, initialized connection to an agent. Requests reject with `AcpError`, at the latest when
 * the agent goes. Updates arrive in order, and all that came before an answer are delivered before
 * the answer's promise settles (SDK-11).
 */
export interface AgentConnection extends Disposable {
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  readonly onUpdate: Event<SessionUpdateEvent>;
  /** Fires once, with the reason; never after `dispose()`. */
  readonly onClosed: Event<AcpError>;

  /**
   * `session/list`; rejects with `unsupported` and sends nothing without the capability (LIST-3), with
   * `timeout` when the answer takes too long.
   */
  listSessions(
    query: { readonly cwd?: string; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<SessionPage>;

  /**
   * `session/load`. Resolves when the agent answers; aborting sends `$/cancel_request` and rejects
   * at once (LOAD-12).
   */
  loadSession(target: SessionTarget, signal?: AbortSignal): Promise<void>;

  /**
   * Resolves when the agent has answered every `session/load` of this session, those that were
   * aborted included: only then do no leftovers of an earlier replay come any more (T-10). At once
   * when there was none, at the latest when the agent goes; never rejects.
   */
  whenLoadsEnded(sessionId: string): Promise<void>;

  /** `session/close`; does nothing without the capability (CLOSE-2); an error counts as closed (CLOSE-5). */
  closeSession(sessionId: string): Promise<void>;

  /** Ends the connection and the agent's whole process tree; resolves when it is gone. */
  close(): Promise<void>;
}
