import type { McpServer, OptionValues, SystemPrompt } from '../protocol/agentConnection';
import type { TerminalExit, TerminalOutput } from '../protocol/agentRequests';
import type { ProtocolChoice } from '../protocol/protocolChoice';
import type { PathMapping } from '../protocol/transport/theirPaths';
import type { OfferedRule } from '../shared/requests/agentQuestions';
import type { ToolKind } from '../shared/transcript/content';
import type { Disposable } from '../util/disposable';
import type { Event } from '../util/emitter';
import type { AgentCommand } from './calls/commandLine';
import type { RuledPlace, Ruling } from './rules/permissionRule';
import type { Asked } from './rules/ruledAct';

export { type ProtocolChoice, protocolChoices } from '../protocol/protocolChoice';

/** The model's interfaces to the platform; `src/platform` implements them with VS Code. */

/** A log with levels; `trace` is off unless the user enables it. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
}

/** An entry of `acpSessions.agents` that passed validation, with variables substituted. */
export interface AgentConfig {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** The versions of the protocol that may be spoken with it, by default only the first. */
  readonly protocol?: ProtocolChoice;
  /** How an agent on another machine is reached; `command` is then empty, and `cwd` is a folder there. */
  readonly remote?: RemoteAgent;
  /** The user lets it use the tools of the editor, although it is on another machine. */
  readonly usesEditorTools?: true;
  /** The defaults for new sessions; absent if the user has configured none. */
  readonly defaults?: SessionDefaults;
  /** The words that continue a session in a terminal; absent if the user has configured none. */
  readonly resumeCommand?: readonly string[];
  /** Present if it isn't in the settings any more: what was cached of the sessions of that program can be read. */
  readonly removed?: { readonly program: string };
  /** Present if it isn't in the settings, but in this window only: nothing is remembered of its sessions. */
  readonly ofWindow?: true;
}

/** An agent that is reached by its address. */
export interface RemoteAgent {
  readonly url: string;
  /** The headers as in the settings: values may refer to secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pathMappings: readonly PathMapping[];
}

/** Values of a new session's options by their IDs; `mode` and `model` also by the option's category. */
export type SessionDefaults = OptionValues;

/** An invalid entry, with the reason as text for the user. */
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

/** The user's texts for the system prompts of agents. */
export interface SystemPrompts {
  /** The text for the sessions of an agent in a folder. */
  find(agentId: string, cwd: string): Promise<SystemPrompt | undefined>;
}

/** A workspace folder that sessions can belong to. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute, in the syntax of the machine on which the agent runs (T-1). */
  readonly path: string;
}

export interface Workspace {
  readonly folders: readonly WorkspaceFolder[];
  readonly trusted: boolean;
  /** Fires when the folders or their trust have changed. */
  readonly onDidChange: Event<void>;
}

/**
 * Resolves symbolic links and normalizes the spelling to the file system's; `undefined` when the path
 * doesn't exist or can't be read.
 */
export type RealPath = (path: string) => Promise<string | undefined>;

/**
 * Files as the user sees them in the editor. Paths are real paths, as from `resolveInside`: one that
 * leads elsewhere when it is opened is refused with `invalidParams`, as is anything that isn't a file.
 */
export interface Files {
  /** Includes the editor's unsaved changes (FS-2). Rejects with `AcpError`: `gone` for a missing file. */
  read(path: string): Promise<string>;
  /**
   * Creates the file and its folders as needed; keeps encoding and line ends. Writes into the open
   * editor when that has unsaved changes, and then only if the user agrees: rejects with `cancelled`
   * otherwise, and when `signal` aborts first.
   */
  write(path: string, content: string, agentTitle: string, signal?: AbortSignal): Promise<void>;
}

/** A running command. Disposing kills it and drops its output. */
export interface Terminal extends Disposable {
  /** Fires with the text just written, and with an empty text when the command has ended. */
  readonly onDidChange: Event<string>;
  readonly output: TerminalOutput;
  /** The end of the output, short enough to be shown repeatedly while the command runs. */
  readonly shown: TerminalOutput;
  /** Resolves when the command has ended; never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Kills the whole process tree; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface TerminalOptions extends Omit<AgentCommand, 'sessionId'> {
  readonly cwd: string;
}

export interface Terminals {
  /**
   * The shell for a command without arguments that names no program (TE-2); `undefined` for a program. Rejects with
   * `AcpError` if the shell can't take such a line.
   */
  shellFor(options: TerminalOptions): Promise<string | undefined>;
  /** Starts a program, or the shell with the line. Rejects with `AcpError` when it can't be started. */
  create(options: TerminalOptions): Promise<Terminal>;
}

/** The user's settings for permissions that are decided without a question. */
export interface PermissionRules {
  /**
   * `undefined`: ask the user. At once, unless there are rules for this agent with a command or a
   * path. Never rejects.
   */
  decide(
    agentId: string,
    kind: ToolKind,
    asked: Asked,
    place: RuledPlace,
  ): Ruling | undefined | Promise<Ruling | undefined>;
  /** The narrowest rule that would allow a request about which the user is asked. Never rejects. */
  offer(
    agentId: string,
    kind: ToolKind,
    asked: Asked,
    place: RuledPlace,
  ): Promise<OfferedRule | undefined>;
}

/** One time that a session is opened on its agent. It changes with what becomes of it. */
export interface Opening {
  readonly agentId: string;
  readonly cwd: string;
  /** A new session has none until the agent has opened it. */
  readonly sessionId: string | undefined;
  /** Whether the agent hasn't answered yet. */
  readonly isPending: boolean;
}

/** The MCP servers that the agent of this `agentInfo.name` gets for a session in this folder (MCP-1). */
export interface McpServers {
  servers(cwd: string, agentName?: string, opening?: Opening): Promise<readonly McpServer[]>;
}

/** Named texts that are stored per workspace on this machine; never synced, never logged. */
export interface StoredTexts {
  /** All readable texts. Never rejects. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Small values that outlive the window; other windows may write them at any time. */
export interface KeyedStorage {
  /** The value last written by any window or version; must be validated. */
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
