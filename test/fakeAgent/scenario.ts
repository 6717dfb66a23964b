import path from 'node:path';
import process from 'node:process';

/**
 * What a fake agent does, as JSON. Without any field it is a well-behaved agent with no sessions.
 * See the header of `main.ts` for how to start it and for examples.
 */
export interface Scenario {
  /** Laid over the default `result` of `initialize`, key by key at the top level only. */
  readonly initialize?: Json;
  /** Rows of `session/list`, served in this order, filtered by `cwd`, in pages of `pageSize`. */
  readonly sessions?: readonly Json[] | GeneratedSessions;
  /** Default 50. */
  readonly pageSize?: number;
  /**
   * What `session/load` does before it answers `{}`, by session id; `*` stands for all others.
   * Default: one user and one agent message. An id that is neither here nor in `sessions`, with no
   * `*`, is answered with -32002.
   */
  readonly replays?: Readonly<Record<string, readonly Step[]>>;
  /** Members of every answer to `session/new`, `load`, `resume` and `fork`: `modes`, `configOptions`. */
  readonly setup?: { readonly [key: string]: Json };
  /**
   * Replaces the built-in handling of a method (request or notification, vendor ones too): the first
   * message runs the first list of steps, the second the second; the last list repeats for ever.
   * One flat list of steps stands for all messages. A request whose steps neither answer nor say so
   * is never answered.
   */
  readonly on?: Readonly<Record<string, readonly Step[] | readonly (readonly Step[])[]>>;
  /** Runs at once, before the first line is read. */
  readonly start?: readonly Step[];
  /** Runs its steps each time when the file is there; the file is deleted first. Looked for every 20 ms. */
  readonly watch?: readonly { readonly file: string; readonly steps: readonly Step[] }[];
  /** Appends each received line to this file, as it came. */
  readonly record?: string;
  /** Writes its process id into this file before anything else. */
  readonly pidFile?: string;
  /** Stays alive when stdin ends (default: exits with 0), for ten minutes at most. */
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
 * One thing to do. In every value, the strings `$id`, `$sessionId`, `$cwd`, `$cursor` stand for those
 * of the message that is being handled (a string that is exactly that; the type is kept). `$answer` is
 * what the client answered last to a request with `wait`, or to the one of `waitForAnswer`: the result,
 * or `{ error }`; `$answer.terminalId` is a member of it, `$answerText` all of it as JSON in a string.
 */
export type Step =
  /** Answers the request with a result or an error. */
  | { readonly result: Json }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Json } }
  /** One `session/update`, or several, written together. `sessionId` defaults to the message's own. */
  | { readonly update: Json; readonly sessionId?: Json }
  | { readonly updates: readonly Json[]; readonly sessionId?: Json }
  /** Generated updates (see `generate.ts`), made at start and written as fast as the pipe takes them. */
  | { readonly generate: number; readonly mix?: Mix; readonly sessionId?: string }
  /** Any JSON as one line. */
  | { readonly send: Json }
  /**
   * A request to the client, with an id of its own if none is given. Steps go on at once, or with `wait`
   * when the client has answered. The client's answer is in `record`, too.
   */
  | {
      readonly request: string;
      readonly params?: Json;
      readonly requestId?: string | number;
      readonly wait?: true;
    }
  /** Goes on when the client has answered the request of this id, now or before. */
  | { readonly waitForAnswer: string | number }
  /** Bytes as they are; no newline is added. */
  | { readonly raw: string }
  | { readonly base64: string }
  /** A text and a newline, `times` times (default 1). */
  | { readonly line: string; readonly times?: number }
  /** One agent message chunk whose line is at least this many bytes long; `noise`: not JSON. */
  | { readonly bigLine: number; readonly noise?: boolean; readonly unterminated?: boolean }
  /** To stderr: a text, `times` times, or so many bytes without a newline. */
  | { readonly stderr: string; readonly times?: number }
  | { readonly stderrBytes: number }
  | { readonly waitMs: number }
  /** Goes on when the file is there. */
  | { readonly waitForFile: string }
  /**
   * Goes on when the client cancels the request that is being handled (`$/cancel_request`, for a prompt
   * also `session/cancel`). From then on the scenario says what cancelling means: nothing is answered
   * by itself.
   */
  | { readonly waitForCancel: true }
  /** Creates an empty file: a signal to the test. */
  | { readonly touch: string }
  /**
   * Starts a process that lives for ten minutes if it isn't killed, and ignores SIGTERM if told to; its id goes to
   * the file. `leaves`: in a session of its own, out of the agent's process group.
   */
  | { readonly grandchild: string; readonly ignoreTerm?: boolean; readonly leaves?: boolean }
  /** Does the steps only when the agent was started without this variable, or with an empty one. */
  | { readonly withoutVariable: string; readonly steps: readonly Step[] }
  /** Does the steps again and again, or `times` times. */
  | { readonly repeat: readonly Step[]; readonly times?: number }
  /** Closes stdout and lives on. */
  | { readonly closeStdout: true }
  /** Stops reading stdin. */
  | { readonly stopReading: true }
  /** Ends the process, after what was written is out. */
  | { readonly exit: number }
  | { readonly kill: 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' };

/**
 * `mixed`: text, thoughts, tool calls with diffs and plans, about 390 bytes each, 20 updates a turn.
 * `text`: one long agent message. `messages`: user and agent messages in turn, each an entry of its own.
 */
export type Mix = 'mixed' | 'text' | 'messages';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** For `initialize`: an agent that can do everything. */
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

/** How to start the fake agent: fits an agent's configuration and `child_process.spawn` alike. */
export interface FakeAgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** `root` is the project's folder; `out/fakeAgent.js` in it has been built by `esbuild.mjs --tests`. */
export function fakeAgent(scenario: Scenario = {}, root = process.cwd()): FakeAgentCommand {
  return {
    command: process.execPath,
    args: [path.join(root, 'out', 'fakeAgent.js'), JSON.stringify(scenario)],
    // Inside VS Code `execPath` is Electron, which is Node only when told so.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** Short forms of frequent updates. */
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
