import type { ConfigOption, SessionModes } from '../shared/config';
import type { Block } from '../shared/content';
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
  readonly logout: boolean;
  /** What a prompt may hold besides text and links (PR-2). */
  readonly promptImage: boolean;
  readonly promptAudio: boolean;
  readonly promptEmbeddedContext: boolean;
  /** Transports of MCP servers besides stdio (MCP-3). */
  readonly mcpHttp: boolean;
  readonly mcpSse: boolean;
}

/** A way to log in (AUTH-1, AUTH-14); those with a key and with a `command` are described in `_meta` only. */
export type AuthMethod = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
} & (
  | { readonly type: 'agent' }
  /** As `agent`, after the agent was started with a key in this variable. */
  | { readonly type: 'apiKey'; readonly variable: string }
  /** The agent's own program in a terminal, with these added (AUTH-5); or the program that it names. */
  | {
      readonly type: 'terminal';
      readonly command?: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
);

/** A server that the agent is to connect to (MCP-2 to MCP-4). Values of `env` and `headers` are secrets. */
export type McpServer =
  | {
      readonly type: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** What an agent says about a session when it opens it (NEW-5, LOAD-6, RES-5). */
export interface SessionSetup {
  readonly modes?: SessionModes;
  /** Absent when the agent says nothing about them. */
  readonly configOptions?: readonly ConfigOption[];
}

/** Where a session is to live. */
export interface SessionPlace {
  /** Absolute (NEW-3). */
  readonly cwd: string;
  /** Left out of the request unless the agent advertises them (DIR-1). */
  readonly additionalDirectories: readonly string[];
  /** Those that the agent can't reach are left out of the request (MCP-3). */
  readonly mcpServers: readonly McpServer[];
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
  /** The agent has put it away. */
  readonly archived?: boolean;
  readonly _meta?: JsonObject;
}

/** `archived` only for agents that can archive; the same with each cursor of a list. */
export interface SessionQuery {
  readonly cwd?: string;
  readonly cursor?: string;
  readonly archived?: 'include';
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Opaque, sent back byte for byte (LIST-6); absent at the end (LIST-7). */
  readonly nextCursor?: string;
  /** How many rows of it were too many; absent for none. */
  readonly leftOut?: number;
}

/** Which session to load, and in which folder: always the session's own cwd (LOAD-3). */
export interface SessionTarget extends SessionPlace {
  readonly sessionId: string;
}

export interface OpenedSession extends SessionSetup {
  readonly sessionId: string;
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
  /** Those that can be offered (AUTH-9, AUTH-14). */
  readonly authMethods: readonly AuthMethod[];
  readonly onUpdate: Event<SessionUpdateEvent>;
  /**
   * A line that the agent wrote for people, on stderr or between its messages: as it came, without the keys that
   * it was given, bounded in length and rate.
   */
  readonly onPrint: Event<string>;
  /** Fires once, with the reason; never after `dispose()`. */
  readonly onClosed: Event<AcpError>;

  /**
   * `session/list`; rejects with `unsupported` and sends nothing without the capability (LIST-3), with
   * `timeout` when the answer takes too long.
   */
  listSessions(query: SessionQuery, signal?: AbortSignal): Promise<SessionPage>;

  /**
   * `session/load`. Resolves when the agent answers; aborting sends `$/cancel_request` and rejects
   * at once (LOAD-12).
   */
  loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup>;

  /**
   * Resolves when the agent has answered every load and resume of this session, those that were
   * aborted included: only then do no leftovers of an earlier replay come any more (T-10). At once
   * when there was none, at the latest when the agent goes; never rejects.
   */
  whenLoadsEnded(sessionId: string): Promise<void>;

  /** `session/close`; does nothing without the capability (CLOSE-2); an error counts as closed (CLOSE-5). */
  closeSession(sessionId: string): Promise<void>;

  /** `session/new`. Updates for the new id may have come before (NEW-8). */
  newSession(place: SessionPlace, signal?: AbortSignal): Promise<OpenedSession>;

  /** `session/resume`: like a load, without history (RES-4). */
  resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup>;

  /** `session/fork`: another session with the same history, ready without a load. */
  forkSession(target: SessionTarget, signal?: AbortSignal): Promise<OpenedSession>;

  /** `session/delete`; one that is not there counts as deleted (DEL-4). */
  deleteSession(sessionId: string): Promise<void>;

  /** `session/archive` or `session/unarchive`. */
  setArchived(sessionId: string, archived: boolean): Promise<void>;

  /** `session/set_title`; resolves with the title that the agent made of it. */
  setTitle(sessionId: string, title: string): Promise<string>;

  /**
   * `session/prompt`, without a time limit. Resolves with the stop reason, the agent's own words
   * included (PR-6). `blocks` hold only what the agent takes (PR-2).
   */
  prompt(sessionId: string, blocks: readonly Block[]): Promise<string>;

  /** `session/cancel`, a notification (CA-1); the prompt's answer follows, or doesn't. */
  cancel(sessionId: string): void;

  /** `session/set_mode` (MO-3). */
  setMode(sessionId: string, modeId: string): Promise<void>;

  /** `session/set_config_option`; resolves with the complete list (CF-8, CF-9). */
  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[]>;

  /** `authenticate` with a method that is none for a terminal (AUTH-2, AUTH-3). No time limit: a person is busy. */
  authenticate(methodId: string, signal?: AbortSignal): Promise<void>;

  /** `logout`; rejects with `unsupported` without the capability (AUTH-10). */
  logout(): Promise<void>;

  /** Ends the connection and the agent's whole process tree; resolves when it is gone. */
  close(): Promise<void>;
}
