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
