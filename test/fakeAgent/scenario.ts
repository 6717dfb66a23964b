import process from 'node:process';
import type { Json } from '../../src/demoAgent/wire/message';
import { inProject } from '../support/project';

export type { Json };

/**
 * The behavior of a fake agent, as JSON. With no fields it is a well-behaved agent without
 * sessions. See the header of `main.ts` for how to start it and for examples.
 */
export interface Scenario {
  /**
   * Speaks version 2 with clients that offer it: answers `initialize` in its form, replays with `session/resume`, and
   * by default accepts a prompt, works and becomes idle. After `session/cancel` the steps of a prompt end, and the
   * agent becomes idle with `cancelled`, unless a step awaits the cancellation.
   */
  readonly version?: 2;
  /** Overrides keys of the default `result` of `initialize`, at the top level only. */
  readonly initialize?: Json;
  /** Rows of `session/list`, served in this order, filtered by `cwd` and in pages of `pageSize`. */
  readonly sessions?: readonly Json[] | GeneratedSessions;
  /** Default 50. */
  readonly pageSize?: number;
  /**
   * The steps that `session/load` runs before it answers `{}`, by session id; `*` stands for all
   * others. Default: one user and one agent message. Without a `*`, an id that is neither here nor
   * in `sessions` is answered with -32002.
   */
  readonly replays?: Readonly<Record<string, readonly Step[]>>;
  /**
   * Where a fork at a message ends: at that message, with new ids for user messages (as with Claude); at the end of its
   * turn, with all ids as they were (as with Codex). The fork replays that part of its origin's `updates`; an unknown
   * message is answered with -32602. Default: forks aren't related to their origins.
   */
  readonly forks?: 'message' | 'turn' | 'whole';
  /** Fails each prompt with an image, and each later one of its session, as Claude does with one that its provider refuses. */
  readonly refusesImages?: true;
  /** Gives new sessions ids that no earlier process has given: `new-<pid>-1`. Default: `new-1`. */
  readonly ownIds?: true;
  /** Members of every answer to `session/new`, `load`, `resume`, `fork` and `options`: `modes`, `configOptions`. */
  readonly setup?: { readonly [key: string]: Json };
  /**
   * Replaces the built-in handling of a method (request or notification, vendor methods too): the
   * first message runs the first list of steps, the second message the second; the last list
   * repeats forever. One flat list of steps applies to all messages. A request whose steps don't
   * answer is never answered.
   */
  readonly on?: Readonly<Record<string, readonly Step[] | readonly (readonly Step[])[]>>;
  /** The steps of a prompt by its first word, instead of those that `on` has for `session/prompt`. */
  readonly commands?: Readonly<Record<string, readonly Step[]>>;
  /** Runs on startup, before the first line is read. */
  readonly start?: readonly Step[];
  /** Runs its steps each time the file appears, and deletes the file first. Polls every 20 ms. */
  readonly watch?: readonly { readonly file: string; readonly steps: readonly Step[] }[];
  /** Appends each received line to this file, unchanged. */
  readonly record?: string;
  /** Writes its process id to this file before anything else. */
  readonly pidFile?: string;
  /** Stays alive after stdin ends, for ten minutes at most (default: exits with 0). */
  readonly ignoreStdinEnd?: boolean;
  /** Stays alive on SIGTERM, SIGINT and SIGHUP. */
  readonly ignoreTerm?: boolean;
}

/** `count` sessions `session-0001`… in `cwd`, one minute apart, newest first. */
export interface GeneratedSessions {
  readonly count: number;
  readonly cwd: string;
}

/**
 * One step. In every value, the strings `$id`, `$sessionId`, `$cwd`, `$cursor` and `$prompt` stand for those of the
 * message that is being handled (only if the whole string matches; the type is kept). `$answer` is the client's last answer to a
 * request with `wait` or awaited by `waitForAnswer`: the result, or `{ error }`; `$answer.terminalId` is a member of
 * it, and `$answerText` is all of it as a JSON string.
 */
export type Step =
  /** Answers the request with a result or an error. */
  | { readonly result: Json }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Json } }
  /** One `session/update`, or several, written in one go. `sessionId` defaults to that of the message. */
  | { readonly update: Json; readonly sessionId?: Json }
  | { readonly updates: readonly Json[]; readonly sessionId?: Json }
  /** Generated updates (see `generate.ts`), made at startup and written as fast as the pipe takes them. */
  | { readonly generate: number; readonly mix?: Mix; readonly sessionId?: string }
  /** Any JSON, as one line. */
  | { readonly send: Json }
  /**
   * A request to the client, with a generated id by default. The steps continue at once, or with `wait` after the
   * client's answer. The client's answer is also in `record`.
   */
  | {
      readonly request: string;
      readonly params?: Json;
      readonly requestId?: string | number;
      readonly wait?: true;
    }
  /** Continues when the client has answered the request with this id, even if it already had. */
  | { readonly waitForAnswer: string | number }
  /** Raw bytes; no newline is added. */
  | { readonly raw: string }
  | { readonly base64: string }
  /** A text and a newline, `times` times (default 1). */
  | { readonly line: string; readonly times?: number }
  /** One agent message chunk whose line is at least this many bytes long; `noise`: not JSON. */
  | { readonly bigLine: number; readonly noise?: boolean; readonly unterminated?: boolean }
  /** Writes to stderr: a text, `times` times, or this many bytes without a newline. */
  | { readonly stderr: string; readonly times?: number }
  | { readonly stderrBytes: number }
  | { readonly waitMs: number }
  /** Continues when the file exists. */
  | { readonly waitForFile: string }
  /**
   * Continues when the client cancels the request that is being handled (`$/cancel_request`, for a prompt also
   * `session/cancel`). From then on the scenario handles the cancellation: nothing is answered automatically.
   */
  | { readonly waitForCancel: true }
  /**
   * Changes files by itself; every path is absolute, or relative to the folder in which the agent was started. Missing
   * folders are created; `bytes` are in base64. `oldText` is replaced once, where it occurs first; the agent fails without it.
   */
  | { readonly writeFile: string; readonly text: string }
  | { readonly writeFile: string; readonly bytes: string }
  | { readonly editFile: string; readonly oldText: string; readonly newText: string }
  | { readonly moveFile: string; readonly to: string }
  | { readonly deleteFile: string }
  /** Runs a program of Node with `node -e`, in this folder, and waits for its end. */
  | { readonly runNode: string; readonly in: string }
  /** Creates an empty file, as a signal to the test. */
  | { readonly touch: string }
  /**
   * Starts a process that lives for up to ten minutes, ignores SIGTERM with `ignoreTerm`, and writes its id to the
   * file. `leaves`: in a separate session, outside the agent's process group.
   */
  | { readonly grandchild: string; readonly ignoreTerm?: boolean; readonly leaves?: boolean }
  /**
   * Calls a tool of the last MCP server over HTTP, or by the connection, that a session was opened with; its answer is
   * `$answer`.
   */
  | { readonly callTool: string; readonly arguments?: Json }
  /** Runs the steps only if the agent was started with this variable unset or empty. */
  | { readonly withoutVariable: string; readonly steps: readonly Step[] }
  /** Runs the steps only if the file doesn't exist. */
  | { readonly withoutFile: string; readonly steps: readonly Step[] }
  /** Repeats the steps forever, or `times` times. */
  | { readonly repeat: readonly Step[]; readonly times?: number }
  /** Closes stdout and keeps running. */
  | { readonly closeStdout: true }
  /** Stops reading stdin. */
  | { readonly stopReading: true }
  /** Ends the process after all output is written. */
  | { readonly exit: number }
  | { readonly kill: 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' };

/**
 * `mixed`: text, thoughts, tool calls with diffs and plans, about 390 bytes each, 20 updates per turn. `text`: one long
 * agent message. `messages`: alternating user and agent messages, each a separate entry. `version2`: as `mixed`, over
 * version 2 of the protocol.
 */
export type Mix = (typeof mixes)[number];
export const mixes = ['mixed', 'text', 'messages', 'version2'] as const;

/** The `initialize` result of an agent that supports everything. */
export const ableInitialize = {
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    auth: { logout: {} },
    sessionCapabilities: {
      list: {},
      resume: {},
      close: {},
      delete: {},
      fork: {},
      archive: {},
      title: {},
      additionalDirectories: {},
    },
  },
} as const satisfies Json;

/** An answer to `initialize` of an agent of version 2 that can do everything. */
export const ableInitialize2 = {
  capabilities: {
    session: {
      prompt: { image: {}, audio: {}, embeddedContext: {} },
      mcp: { stdio: {}, http: {} },
      delete: {},
      fork: {},
      archive: {},
      title: {},
      additionalDirectories: {},
    },
  },
  authMethods: [{ type: 'agent', methodId: 'login', name: 'Log in' }],
} as const satisfies Json;

/** How to start the fake agent; suits both an agent's configuration and `child_process.spawn`. */
export interface FakeAgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function fakeAgent(scenario: Scenario = {}): FakeAgentCommand {
  return {
    command: process.execPath,
    args: [inProject('out/fakeAgent.js'), JSON.stringify(scenario)],
    // Inside VS Code `execPath` is Electron, which runs as Node only with this variable.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** Shorthands for common updates. */
export const update = {
  user: (text: string, messageId?: string): Json => chunk('user_message_chunk', text, messageId),
  agent: (text: string, messageId?: string): Json => chunk('agent_message_chunk', text, messageId),
  thought: (text: string, messageId?: string): Json =>
    chunk('agent_thought_chunk', text, messageId),
  toolCall: (
    toolCallId: string,
    title: string,
    rest: { readonly [key: string]: Json } = {},
  ): Json => ({
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    ...rest,
  }),
  toolCallUpdate: (toolCallId: string, rest: { readonly [key: string]: Json }): Json => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    ...rest,
  }),
  title: (title: string | null, updatedAt?: string): Json => ({
    sessionUpdate: 'session_info_update',
    title,
    updatedAt,
  }),
};

function chunk(sessionUpdate: string, text: string, messageId: string | undefined): Json {
  return { sessionUpdate, content: { type: 'text', text }, messageId };
}

/** Shorthands for updates of version 2. */
export const update2 = {
  running: { sessionUpdate: 'state_update', state: 'running' },
  requiresAction: { sessionUpdate: 'state_update', state: 'requires_action' },
  idle: (stopReason?: string, rest: { readonly [key: string]: Json } = {}): Json => ({
    sessionUpdate: 'state_update',
    state: 'idle',
    stopReason,
    ...rest,
  }),
  user: (text: string, messageId: string): Json => message('user_message', text, messageId),
  agent: (text: string, messageId: string): Json => message('agent_message', text, messageId),
  thought: (text: string, messageId: string): Json => message('agent_thought', text, messageId),
  toolCall: (toolCallId: string, rest: { readonly [key: string]: Json }): Json => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    ...rest,
  }),
  terminal: (terminalId: string, rest: { readonly [key: string]: Json }): Json => ({
    sessionUpdate: 'terminal_update',
    terminalId,
    ...rest,
  }),
  output: (terminalId: string, text: string): Json => ({
    sessionUpdate: 'terminal_output_chunk',
    terminalId,
    data: Buffer.from(text).toString('base64'),
  }),
};

function message(sessionUpdate: string, text: string, messageId: string): Json {
  return { sessionUpdate, messageId, content: [{ type: 'text', text }] };
}
