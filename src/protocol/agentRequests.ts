import type {
  ElicitationAsk,
  FormValues,
  PermissionOption,
} from '../shared/requests/agentQuestions';
import type { JsonObject } from '../util/json';
import type { SessionUpdate, ToolCallPatch } from './updates';

/** An agent's requests, validated and normalized. All but questions and `mcp/message` name their session. */

/** `session/request_permission` (PE-2). */
export interface PermissionRequest {
  /** Absent if the question names only the call that it is about, as some agents' own ones do. */
  readonly sessionId?: string;
  /** What is asked about. */
  readonly toolCall: ToolCallPatch;
  /**
   * `toolCall` only describes what is asked about: nothing of it is said of a call of the agent's, although one with
   * this id may be what the question belongs to (V2-PERM-3, V2-PERM-4).
   */
  readonly isNoCall?: true;
  readonly options: readonly PermissionOption[];
  /** The server whose tool is asked about, if the agent says so. */
  readonly mcpServer?: McpServerOfCall;
  /** The question itself, if it isn't just the call's title, and why it is asked (V2-PERM-1). */
  readonly title?: string;
  readonly description?: string;
}

/** The MCP server of a tool, as Claude's agent names it. */
export interface McpServerOfCall {
  readonly name: string;
  /** Whether this client has named the server to the agent; others are in the agent's own configuration. */
  readonly isGiven: boolean;
}

/** `undefined` is the outcome `cancelled`. */
export type PermissionAnswer = { readonly optionId: string } | undefined;

/** `fs/read_text_file` (FS-2). */
export interface ReadRequest {
  readonly sessionId: string;
  /** Absolute (TR-11). */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** Number of lines. */
  readonly limit?: number;
}

/** `fs/write_text_file` (FS-3). */
export interface WriteRequest {
  readonly sessionId: string;
  /** Absolute (TR-11). */
  readonly path: string;
  readonly content: string;
}

/** `terminal/create` (TE-2). */
export interface CreateTerminalRequest {
  readonly sessionId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; defaults to the session's cwd. */
  readonly cwd?: string;
  /** Maximum number of bytes of output to keep. */
  readonly outputByteLimit?: number;
}

export interface TerminalRef {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** How a command ended (TE-5). One of the two is set. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The output of a command so far (TE-4). */
export interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitStatus?: TerminalExit;
}

/** `elicitation/create` (EL-5), in the scope of a session or of a request sent by this client. */
export interface ElicitationRequest {
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly message: string;
  readonly ask: ElicitationAsk;
}

/**
 * With what an agent works, in its own words (AUTH-15). None of it may be written down: it names the user. Without a
 * label, nobody is signed in.
 */
export interface AgentAccount {
  /** The plan, the kind of key or the gateway. */
  readonly label?: string;
  /** The account, its organization, or where the key comes from. */
  readonly details: readonly string[];
}

/** The answer to a question; only an accepted form has values (EL-10). */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly values?: FormValues }
  | { readonly action: 'decline' | 'cancel' };

/** `mcp/message`: a request of the Model Context Protocol to a server that this client has named with a session. */
export interface McpRequest {
  readonly serverId: string;
  /** Told apart only from others to this server that aren't answered yet. */
  readonly requestId: string;
  readonly method: string;
  readonly params?: JsonObject;
}

/** What the server answers. Its errors are no errors of `mcp/message`. */
export type McpOutcome = { readonly result: JsonObject } | { readonly error: JsonObject };

/** A request with a method that isn't served; it is refused, whoever hears of it. */
export interface UnknownRequest {
  readonly method: string;
  readonly sessionId?: string;
  readonly toolCallId?: string;
  /** Its params as JSON. */
  readonly raw: string;
}

/** What an agent tells with a method of its own that names no session, but the call that it belongs to. */
export interface CallNews {
  readonly toolCallId: string;
  /** The call, for the case that the agent hasn't reported it. */
  readonly call?: ToolCallPatch;
  readonly update: SessionUpdate;
}

/**
 * Answers an agent's requests. `signal` aborts when the agent cancels its request or exits; a later
 * answer is dropped. What the agent is told about a rejection is decided by its reason (T-35): throw a `refusal`.
 */
export interface AgentRequests {
  requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  /** Resolves with the text. */
  readTextFile(request: ReadRequest, signal: AbortSignal): Promise<string>;
  writeTextFile(request: WriteRequest, signal: AbortSignal): Promise<void>;
  /** Resolves with the terminal's id without waiting for the command to end. */
  createTerminal(request: CreateTerminalRequest, signal: AbortSignal): Promise<string>;
  terminalOutput(ref: TerminalRef): Promise<TerminalOutput>;
  waitForTerminalExit(ref: TerminalRef, signal: AbortSignal): Promise<TerminalExit>;
  killTerminal(ref: TerminalRef): Promise<void>;
  releaseTerminal(ref: TerminalRef): Promise<void>;
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  mcpMessage(request: McpRequest, signal: AbortSignal): Promise<McpOutcome>;
  unknownRequest(request: UnknownRequest): void;
  callNews(news: CallNews): void;
  /** The user has completed, outside of this client, what the elicitation asked for (EL-14). */
  elicitationCompleted(elicitationId: string): void;
  /** The agent says anew with what it works; `undefined`: it doesn't tell any more. */
  accountChanged(account: AgentAccount | undefined): void;
}
