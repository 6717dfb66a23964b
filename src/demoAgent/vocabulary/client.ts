import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  PermissionOption,
  SendRequestOptions,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoUpdate } from './updates';

/** What a client can do, in the terms of version 1. */
export interface DemoCapabilities extends ClientCapabilities {
  /** Whether the agent changes files and runs commands by itself, and tells of everything that an update can say. */
  readonly ownWork?: boolean;
}

/** A question whether something may be done. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly title: string;
  readonly description?: string;
  readonly toolCallId: string;
  /** The command that it is about, and its folder. */
  readonly command?: { readonly command: string; readonly cwd: string };
  /** Asks about a subject that no client knows. */
  readonly isStrange?: boolean;
  readonly options: readonly PermissionOption[];
}

interface TerminalTarget {
  readonly sessionId: string;
  readonly terminalId: string;
}

export type SendUpdate = (sessionId: string, update: DemoUpdate) => Promise<void>;

/** The client of a connection, whichever version it speaks. Its answers are those of version 1. */
export interface DemoClient {
  readonly capabilities: DemoCapabilities;
  update: SendUpdate;
  /** Sends the updates of one replay. */
  replay(): SendUpdate;
  /** Resolves to the option that was chosen, if one was. */
  ask(question: PermissionQuestion, limits: SendRequestOptions): Promise<string | undefined>;
  elicit(
    request: CreateElicitationRequest,
    limits: SendRequestOptions,
  ): Promise<CreateElicitationResponse>;
  /** What was asked for with an address has been done there. */
  elicited(elicitationId: string): Promise<void>;
  readText(sessionId: string, path: string, limits: SendRequestOptions): Promise<string>;
  writeText(
    sessionId: string,
    path: string,
    content: string,
    limits: SendRequestOptions,
  ): Promise<void>;
  readonly terminals: DemoTerminals;
  /** What a list of sessions tells has changed. */
  listChanged(): Promise<void>;
}

/** Terminals that a tool call shows. */
export interface DemoTerminals {
  /** Resolves to the terminal's id. */
  create(request: CreateTerminalRequest, limits: SendRequestOptions): Promise<string>;
  exit(target: TerminalTarget, limits: SendRequestOptions): Promise<WaitForTerminalExitResponse>;
  output(target: TerminalTarget, limits: SendRequestOptions): Promise<string>;
  /** Also ends the command. */
  release(target: TerminalTarget): Promise<void>;
}
