import type { JsonObject } from '../util/json';
import type { AgentCapabilities, AgentConnection, AgentInfo, AuthMethod } from './agentConnection';
import type { AgentRequests } from './agentRequests';
import type { AgentHandlers, AgentRpc } from './rpc/agentRpc';
import type { ProtocolLog } from './rpc/countedLog';
import type { MessageReader } from './rpc/messageReader';

/** What this client offers beyond lists and transcripts. */
export interface ClientOffer {
  /** Whether requests of the agent are answered: permissions, files, terminals, elicitations. */
  readonly requests: boolean;
  /** Whether these include the files and terminals of this machine. */
  readonly machine: boolean;
  /** Whether the agent's program can be run again in a terminal to log in (AUTH-8). */
  readonly authTerminal: boolean;
}

/** This client, as agents see it (INIT-4). */
export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface InitializeResult {
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** Whether the agent can be asked with what account it works (AUTH-16). */
  readonly tellsAccount: boolean;
}

export interface LiveConnectionOptions {
  readonly log: ProtocolLog;
  readonly setupTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Called with the account that the agent has told when it was asked. */
  readonly accountChanged?: AgentRequests['accountChanged'] | undefined;
  /** See `ConnectOptions`. */
  readonly isOpenElsewhere?: ((sessionId: string) => boolean) | undefined;
}

/** What requests are served by. */
export interface Served extends Pick<ClientOffer, 'machine'> {
  /** `agentInfo.name`, once the agent has said it. */
  readonly agentName?: string | undefined;
}

/**
 * One version of the protocol. Its folder is the only place that knows how its messages look; the rest of the client
 * speaks the vocabulary of the files beside this one.
 */
export interface ProtocolVersion {
  /** The number as in `initialize` (INIT-2). */
  readonly number: number;
  readonly reader: MessageReader;
  /**
   * The params of `initialize` but for the version: who this client is (INIT-4), and exactly what it handles (INIT-3,
   * INIT-11 to INIT-13). Those of several versions may be sent together.
   */
  initializeParams(client: ClientInfo, offer: ClientOffer): object;
  /** Checks the answer to `initialize`, whose version was checked already. */
  readInitializeResult(result: JsonObject, offer: ClientOffer): InitializeResult;
  /** Serves the requests of an agent; without `requests`, none is accepted, and permission is never given. */
  handlers(requests: AgentRequests | undefined, served: Served): AgentHandlers;
  connection(
    rpc: AgentRpc,
    initialized: InitializeResult,
    options: LiveConnectionOptions,
  ): AgentConnection;
}
