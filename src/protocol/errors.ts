/**
 * Everything that can go wrong with an agent, by code (ER-3, ER-5). `message` is for the log and for developers;
 * `model/failures` turns the code into words for the user.
 */
export type AcpErrorCode =
  /** The command doesn't exist. */
  | 'notFound'
  /** The command exists but can't be run. */
  | 'notExecutable'
  /** The process ended, or couldn't answer at all. */
  | 'exited'
  /** No answer within the time limit. */
  | 'timeout'
  /** The agent speaks another version of the protocol (INIT-7). */
  | 'version'
  /** A login is required: -32000. */
  | 'authRequired'
  /** The session doesn't exist: -32002. */
  | 'gone'
  /** Another process, or an earlier one of the same agent, has the session open (T-60). */
  | 'held'
  /** A capability that the agent doesn't have, or -32601. */
  | 'unsupported'
  /** Invalid params: -32602. */
  | 'invalidParams'
  /** Aborted on this side, or -32800. */
  | 'cancelled'
  /** The answer can't be used. */
  | 'malformed'
  /** Any other JSON-RPC error. */
  | 'rpc'
  /** The folder to work in doesn't exist (`missingFolder`); nothing was sent to the agent. */
  | 'folderGone'
  /** Nothing was started, because the workspace isn't trusted (T-32). */
  | 'untrusted'
  /** The agent isn't in the settings any more. */
  | 'removed';

export interface AcpErrorFacts {
  /** How a process ended: `exit code 7`, or `signal SIGKILL`. */
  readonly exit?: string;
  /** The last lines that the agent wrote to stderr, oldest first, bounded, without secrets. */
  readonly stderr?: readonly string[];
  /** The last lines on stdout before the agent's first message, likewise. */
  readonly stdout?: readonly string[];
  /** The first line on stdout of an agent that has never sent a message. */
  readonly noise?: string;
  /** JSON-RPC `code` of an error answer. */
  readonly rpcCode?: number;
  /** `data` of an error answer, as sent. */
  readonly data?: unknown;
  /** The command or version that the error is about. */
  readonly subject?: string;
  /** The folder that doesn't exist; with `notFound` the one to start in, so the command itself isn't missing. */
  readonly missingFolder?: string;
  /** Why a request of the agent isn't done, in the words of `refusal.ts`. */
  readonly reason?: string;
  /** What the user is told instead of the code's own description, where the code says too little. */
  readonly words?: { readonly title: string; readonly detail: string };
  /** What is wrong with the line to an agent on another machine, see `LineTrouble`. */
  readonly trouble?: string;
}

export class AcpError extends Error {
  override readonly name = 'AcpError';
  /** The agent that the error is about, as soon as it is known. */
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

/** The code of a request that was canceled (CA-7). */
export const cancelledCode = -32800;

/** The code of a JSON-RPC error that says no other. */
export const internalError = -32603;

/** An agent's work that has failed. The code, whichever it is, says that the words are the agent's. */
export function workFailed({
  code = internalError,
  message,
}: {
  readonly code?: number;
  readonly message: string;
}): AcpError {
  return new AcpError('rpc', message, { rpcCode: code });
}
