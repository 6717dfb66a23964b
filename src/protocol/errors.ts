/**
 * Everything that can go wrong between us and an agent, by code (ER-3, ER-5). `message` is for the
 * log and for developers; `model/failures.ts` turns the code into words for a person.
 */
export type AcpErrorCode =
  /** The command isn't there. */
  | 'notFound'
  /** It is there and can't be run. */
  | 'notExecutable'
  /** The process ended, or never got as far as an answer. */
  | 'exited'
  /** No answer within the time limit. */
  | 'timeout'
  /** Speaks another version of the protocol (INIT-7). */
  | 'version'
  /** -32000. */
  | 'authRequired'
  /** -32002: the session is not there. */
  | 'gone'
  /** A capability that the agent doesn't have, or -32601. */
  | 'unsupported'
  /** -32602. */
  | 'invalidParams'
  /** Aborted by us, or -32800. */
  | 'cancelled'
  /** The answer can't be used. */
  | 'malformed'
  /** Any other error answer. */
  | 'rpc'
  /** The folder to work in isn't there (`missingFolder`); nothing was asked of the agent. */
  | 'folderGone'
  /** Nothing was started, because the workspace isn't trusted (T-32). */
  | 'untrusted';

export interface AcpErrorFacts {
  /** How a process ended: `exit code 7`, or `signal SIGKILL`. */
  readonly exit?: string;
  /** The last lines that the agent wrote to stderr, oldest first, bounded, without secrets. */
  readonly stderr?: readonly string[];
  /** The first line on stdout of an agent that has never sent a message. */
  readonly noise?: string;
  /** JSON-RPC `code` of an error answer. */
  readonly rpcCode?: number;
  /** `data` of an error answer, as sent. */
  readonly data?: unknown;
  /** The command or version that the error is about. */
  readonly subject?: string;
  /** The folder that isn't there; with `notFound` the one to start in: it isn't the command that is missing. */
  readonly missingFolder?: string;
}

export class AcpError extends Error {
  override readonly name = 'AcpError';
  /** Whose it is, as soon as that is known. */
  agentId: string | undefined;

  constructor(
    readonly code: AcpErrorCode,
    message: string,
    readonly facts: AcpErrorFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
