import type { McpServer } from '../protocol/agentConnection';
import type {
  CreateTerminalRequest,
  TerminalExit,
  TerminalOutput,
} from '../protocol/agentRequests';
import type { ToolKind } from '../shared/transcript/content';
import type { Disposable } from '../util/disposable';
import type { Event } from '../util/emitter';

/** The model's windows to the platform; `platform` implements them with VS Code. */

/** A log with components; `trace` is off unless a person turns it on. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
}

/** An entry of `acpSessions.agents` that passed its checks, with variables substituted. */
export interface AgentConfig {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

/** An entry that didn't pass, with the reason in words for a person. */
export interface AgentConfigProblem {
  readonly id: string;
  readonly reason: string;
}

export interface AgentSettings {
  readonly agents: readonly AgentConfig[];
  readonly problems: readonly AgentConfigProblem[];
}

export interface Settings {
  readonly agents: AgentSettings;
  readonly onDidChangeAgents: Event<void>;
}

/** What is kept of transcripts to be searched. */
export const searchIndexModes = ['off', 'titles', 'text'] as const;
export type SearchIndexMode = (typeof searchIndexModes)[number];

export interface SearchSettings {
  readonly searchIndex: SearchIndexMode;
  readonly onDidChangeSearchIndex: Event<void>;
}

/** A workspace folder that sessions can belong to. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute, in the spelling of the machine that the agent runs on (T-1). */
  readonly path: string;
}

export interface Workspace {
  readonly folders: readonly WorkspaceFolder[];
  readonly trusted: boolean;
  /** Folders or trust changed. */
  readonly onDidChange: Event<void>;
}

/**
 * The path with every link resolved and in the file system's own spelling; `undefined` when it isn't
 * there or can't be read.
 */
export type RealPath = (path: string) => Promise<string | undefined>;

/**
 * Files as a person sees them in the editor. Paths are real ones, as `resolveInside` gives them: what leads
 * elsewhere by the time that it is opened is refused with `invalidParams`, as is what is no file.
 */
export interface Files {
  /** With unsaved changes of the editor (FS-2). Rejects with `AcpError`: `gone` when it isn't there. */
  read(path: string): Promise<string>;
  /**
   * Creates the file and its folders where missing; keeps encoding and line ends. Into the open editor when
   * it has unsaved changes, and then only after a person agreed: rejects with `cancelled` otherwise, and
   * when `signal` aborts first.
   */
  write(path: string, content: string, agentTitle: string, signal?: AbortSignal): Promise<void>;
}

/** A running command. Disposing ends it, and gives up what it has written. */
export interface Terminal extends Disposable {
  /** With what it has just written; with an empty text when it has ended. */
  readonly onDidChange: Event<string>;
  readonly output: TerminalOutput;
  /** The end of the output: as much as is shown, again and again while it runs. */
  readonly shown: TerminalOutput;
  /** Resolves when it has ended; never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Ends the whole process tree; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface TerminalOptions extends Omit<CreateTerminalRequest, 'sessionId'> {
  readonly cwd: string;
}

export interface Terminals {
  /** Starts a command without a shell. Rejects with `AcpError` when it can't be started. */
  create(options: TerminalOptions): Promise<Terminal>;
}

/** What a person has set to be decided without asking. */
export interface PermissionRules {
  /** `undefined`: ask. */
  decide(agentId: string, kind: ToolKind): 'allow' | 'reject' | undefined;
}

/** The MCP servers to hand to an agent for a session in this folder (MCP-1). */
export interface McpServers {
  servers(cwd: string): Promise<readonly McpServer[]>;
}

/** Texts that the workspace keeps on this machine, each under a name; never synced, never logged. */
export interface StoredTexts {
  /** All that can be read. Never rejects. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Small values that outlive the window; other windows may write them at any moment. */
export interface KeyedStorage {
  /** As it was written last, by whichever window or version; never trusted. */
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
