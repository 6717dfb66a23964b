import type { ListedOption, SessionModels, SessionModes } from '../shared/transcript/config';
import type { Block } from '../shared/transcript/content';
import type { TurnUsage } from '../shared/transcript/entries';
import type { Disposable } from '../util/disposable';
import type { Event } from '../util/emitter';
import type { JsonObject } from '../util/json';
import type { AcpError } from './errors';
import type { AvailableCommand, BackgroundItem, SessionUpdate } from './updates';

/** An agent's capabilities, computed once from its `initialize` result (INIT-8 to INIT-10, INIT-16). */
export interface AgentCapabilities {
  readonly load: boolean;
  readonly list: boolean;
  readonly resume: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly fork: boolean;
  readonly archive: boolean;
  readonly title: boolean;
  /** Tells the options of a session before there is one, and takes their first values (T-140). */
  readonly options: boolean;
  readonly additionalDirectories: boolean;
  /** Takes a text of the user's for its system prompt, and even one in its place. */
  readonly systemPrompt: boolean;
  readonly systemPromptOverride: boolean;
  readonly logout: boolean;
  /** Sessions can be created, prompted and configured; only an agent that says so itself has them only for reading. */
  readonly prompt: boolean;
  /** Takes prompts into the running turn (T-39). */
  readonly steering: boolean;
  /** Content that a prompt may have besides text and links (PR-2). */
  readonly promptImage: boolean;
  readonly promptAudio: boolean;
  readonly promptEmbeddedContext: boolean;
  /** Takes a skill by its name at the beginning of a prompt (T-91). */
  readonly promptSkill: boolean;
  /** Takes skills anywhere in a prompt, and several (T-91). */
  readonly promptSkillInline: boolean;
  /** Transports of MCP servers (MCP-3); every agent of version 1 has stdio. `mcpAcp`: the connection itself. */
  readonly mcpStdio: boolean;
  readonly mcpHttp: boolean;
  readonly mcpSse: boolean;
  readonly mcpAcp: boolean;
}

/** A login method (AUTH-1, AUTH-14). Methods with a key or a `command` are only described in `_meta`. */
export type AuthMethod = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
} & (
  | { readonly type: 'agent' }
  /** The agent's own login, for which it must have been started with a key in this environment variable. */
  | { readonly type: 'apiKey'; readonly variable: string }
  /**
   * The agent's program in a terminal with these additions (AUTH-5), or the program that the agent
   * names.
   */
  | {
      readonly type: 'terminal';
      readonly command?: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
);

/** An MCP server for the agent to connect to (MCP-2 to MCP-4). Values of `env` and `headers` are secrets. */
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

/** An MCP server of this client itself, which the agent reaches by `mcp/message`. */
interface OwnMcpServer {
  readonly type: 'acp';
  readonly name: string;
  readonly serverId: string;
}

/** An MCP server that an agent is given with a session. */
export type GivenMcpServer = McpServer | OwnMcpServer;

/**
 * What became of a prompt for the running turn (T-39). `injected`: it is part of that turn.
 * `startedNewTurn`: it has begun a turn that no request of this client owns. The agent hasn't taken
 * it otherwise: `promptRequired` because no turn runs.
 */
export type SteeringOutcome = 'injected' | 'startedNewTurn' | 'promptRequired' | 'failed';

/** An agent's answer about a session that it has opened (NEW-5, LOAD-6, RES-5). */
export interface SessionSetup {
  readonly modes?: SessionModes;
  readonly models?: SessionModels;
  /** Absent if the agent doesn't send any. */
  readonly configOptions?: readonly ListedOption[];
  /** Absent if the agent tells its commands by updates only. */
  readonly commands?: readonly AvailableCommand[];
  /** The system prompt that the user has asked for, and whether the agent got it. */
  readonly systemPrompt?: SystemPrompt & { readonly isSent: boolean };
}

/** A text of the user's that an agent adds to its system prompt, or takes in its place. */
export interface SystemPrompt {
  readonly mode: 'append' | 'override';
  readonly text: string;
}

/** Values of a session's options by their ids. */
export type OptionValues = Readonly<Record<string, string | boolean>>;

/** The folders, MCP servers and system prompt of a session. */
export interface SessionPlace {
  /** Absolute (NEW-3). */
  readonly cwd: string;
  /** Omitted from the request unless the agent advertises the capability (DIR-1). */
  readonly additionalDirectories: readonly string[];
  /** Servers with a transport that the agent doesn't support are omitted from the request (MCP-3). */
  readonly mcpServers: readonly GivenMcpServer[];
  /** Omitted from the request if the agent doesn't take it (V2-NEW-4). */
  readonly systemPrompt?: SystemPrompt;
}

/** A session that doesn't exist yet. */
export interface NewPlace extends SessionPlace {
  /**
   * What its options begin with. Omitted from the request if the agent doesn't take them, and those that it doesn't
   * have are ignored by it: the answer says with what the session has begun (T-140).
   */
  readonly options?: OptionValues;
}

/** An agent's name and version (INIT-14). */
export interface AgentInfo {
  /** What it calls itself to programs: not for display. */
  readonly name?: string;
  /** `title`, otherwise `name`; absent if the agent sends neither. */
  readonly title?: string;
  readonly version?: string;
}

/** What an agent may say about a listed session beyond the stable protocol (T-46). */
export interface ListedFacts {
  readonly state?: 'running' | 'idle' | 'requires_action';
  /** The time as sent, like `updatedAt`. */
  readonly lastTurnEndedAt?: string;
  readonly gitBranch?: string;
  readonly cost?: { readonly amount: number; readonly currency: string };
  /** Whether the agent has archived the session. */
  readonly archived?: boolean;
  /** Whether another client of the agent has the session open (T-47). */
  readonly openElsewhere?: boolean;
}

/** A validated row of `session/list` (LIST-12). */
export interface SessionInfo extends ListedFacts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title?: string;
  /** Stands in for a title that the agent hasn't given: words of the first prompt, from this client and never from the agent. */
  readonly promptTitle?: string;
  /** The time as sent; parsed when it is compared (LIST-15). */
  readonly updatedAt?: string;
  readonly _meta?: JsonObject;
}

/** `archived` is only used with agents that can archive. All queries of one list have the same filters. */
export interface SessionQuery {
  readonly cwd?: string;
  readonly cursor?: string;
  readonly archived?: 'include';
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Opaque, and sent back byte for byte (LIST-6); absent on the last page (LIST-7). */
  readonly nextCursor?: string;
  /** Number of rows dropped because there were too many; absent if none were. */
  readonly leftOut?: number;
}

/** The session to load, with the cwd it was created with (LOAD-3). */
export interface SessionTarget extends SessionPlace {
  readonly sessionId: string;
}

/** The session to fork, and where. */
export interface ForkTarget extends SessionTarget {
  /**
   * The id of the message with which the fork should end. Agents end it there, at the end of that message's turn, or
   * ignore this and fork the whole history without a word (T-42).
   */
  readonly at?: string;
}

export interface OpenedSession extends SessionSetup {
  readonly sessionId: string;
}

export interface SessionUpdateEvent {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

/**
 * A live, initialized connection to an agent. Requests reject with `AcpError`, at the latest when the agent exits.
 * Updates are delivered in order, and those that precede an answer are delivered before the answer's promise settles
 * (SDK-11).
 */
export interface AgentConnection extends Disposable {
  /** The protocol's version that the agent has chosen: for the user to read, never to decide by. */
  readonly protocolVersion: number;
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  /** The login methods that can be offered (AUTH-9, AUTH-14). */
  readonly authMethods: readonly AuthMethod[];
  readonly onUpdate: Event<SessionUpdateEvent>;
  /** The agent says that its list of sessions has changed, at any rate (T-46). */
  readonly onListChanged: Event<void>;
  /**
   * A line that the agent wrote outside of its messages, on stderr or on stdout: unchanged except
   * for the removal of its keys, bounded in length and rate.
   */
  readonly onPrint: Event<string>;
  /** Fires once, with the reason, but never after `dispose()`. */
  readonly onClosed: Event<AcpError>;

  /**
   * `session/list`; rejects with `unsupported`, without sending anything, if the capability is
   * missing (LIST-3), and with `timeout` if the answer takes too long.
   */
  listSessions(query: SessionQuery, signal?: AbortSignal): Promise<SessionPage>;

  /**
   * `session/load`. Resolves when the agent answers; aborting sends `$/cancel_request` and rejects
   * immediately (LOAD-12).
   */
  loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup>;

  /**
   * Resolves when the agent has answered every load and resume of this session, including aborted
   * ones: only then can no more updates of an earlier replay arrive (T-10). Resolves immediately if
   * there was none, and at the latest when the agent exits; never rejects.
   */
  whenLoadsEnded(sessionId: string): Promise<void>;

  /** `session/close`; does nothing without the capability (CLOSE-2); an error counts as closed (CLOSE-5). */
  closeSession(sessionId: string): Promise<void>;

  /** `session/new`. Updates for the new id may arrive before it resolves (NEW-8). */
  newSession(place: NewPlace, signal?: AbortSignal): Promise<OpenedSession>;

  /**
   * `session/options`: what a new session would begin with. Rejects with `unsupported`, without sending anything, if the
   * capability is missing, and with `timeout` if the answer takes longer than someone waits for a list.
   */
  newSessionOptions(
    place: Pick<SessionPlace, 'cwd' | 'additionalDirectories'>,
    signal?: AbortSignal,
  ): Promise<SessionSetup>;

  /** `session/resume`: like a load, but without history (RES-4). */
  resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup>;

  /**
   * `session/fork`: a new session with the same history, or its beginning, ready without a load. Rejects with
   * `invalidParams` if the agent doesn't know the message.
   */
  forkSession(target: ForkTarget, signal?: AbortSignal): Promise<OpenedSession>;

  /** `session/delete`; a session that doesn't exist counts as deleted (DEL-4). */
  deleteSession(sessionId: string): Promise<void>;

  /** `session/archive` or `session/unarchive`. */
  setArchived(sessionId: string, archived: boolean): Promise<void>;

  /** `session/set_title`; resolves with the title that the agent stored. */
  setTitle(sessionId: string, title: string): Promise<string>;

  /**
   * `session/prompt`, without a time limit. Resolves with the stop reason, which may be unknown
   * (PR-6). `blocks` may only contain content that the agent accepts (PR-2). `inserted`: the agent has told the id of
   * the user's message, which is unique (V2-TURN-1). `used`: it has told the turn's tokens, right before its end.
   */
  prompt(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
    used?: (usage: TurnUsage) => void,
  ): Promise<string>;

  /**
   * `_session/steering`: a prompt for the running turn (T-39). Rejects with `unsupported`, without
   * sending anything, if the agent doesn't advertise it; with `timeout` or `malformed` it is unknown
   * whether the agent has taken the prompt. `inserted`: see `prompt`.
   */
  steer(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
  ): Promise<SteeringOutcome>;

  /** `session/cancel`, a notification (CA-1); the prompt's answer should follow. */
  cancel(sessionId: string): void;

  /**
   * `terminal/cancel` or `tool_call/cancel`, which must be advertised (V2-TERM-7); for a subagent `session/cancel`.
   * Resolves when the agent has accepted it: updates tell when it has stopped.
   */
  cancelWork(sessionId: string, item: BackgroundItem): Promise<void>;

  /** `session/set_mode` (MO-3). */
  setMode(sessionId: string, modeId: string): Promise<void>;

  /** `session/set_model`, for models that aren't a config option (MO-6). */
  setModel(sessionId: string, modelId: string): Promise<void>;

  /** `session/set_config_option`; resolves with the complete list (CF-8, CF-9). */
  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ListedOption[]>;

  /**
   * `authenticate` with any method but a terminal one (AUTH-2, AUTH-3). No time limit, because the
   * user is logging in.
   */
  authenticate(methodId: string, signal?: AbortSignal): Promise<void>;

  /** `logout`; rejects with `unsupported` without the capability (AUTH-10). */
  logout(): Promise<void>;

  /** Ends the connection and the agent's whole process tree; resolves when the tree is gone. */
  close(): Promise<void>;
}
