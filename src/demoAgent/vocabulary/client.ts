import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  SendRequestOptions,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoUpdate } from './updates';

/** What a client can do, in the terms of version 1. */
export interface DemoCapabilities extends ClientCapabilities {
  /** Whether the agent changes files by itself. */
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
  readonly options: readonly PermissionOption[];
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
  readText(sessionId: string, path: string, limits: SendRequestOptions): Promise<string>;
  writeText(
    sessionId: string,
    path: string,
    content: string,
    limits: SendRequestOptions,
  ): Promise<void>;
  /** What a list of sessions tells has changed. */
  listChanged(): Promise<void>;
}
