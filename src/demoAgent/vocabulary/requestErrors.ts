import type { Ending } from './demoUpdates';

/** An error with which a request is answered. */
export class RequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** -32002 with `data.sessionId` (ER-3): the session is unknown, or not open on this connection. */
export function sessionNotFound(sessionId: string): RequestError {
  return new RequestError(-32002, `There is no session ${JSON.stringify(sessionId.slice(0, 80))}`, {
    sessionId,
  });
}

/** -32602: a well-formed parameter with an unusable value; `message` explains what to do. */
export function unusable(message: string): RequestError {
  return new RequestError(-32602, message);
}

/** What the client is told about an error at the end of a turn; that of a canceled turn is none, whatever was thrown (CA-5). */
export function getEnding(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) {
    return { stopReason: 'cancelled' };
  }
  const { code, message, data } = asRequestError(error);
  return { stopReason: 'error', error: { code, message, ...(data !== undefined && { data }) } };
}

export function asRequestError(error: unknown): RequestError {
  return error instanceof RequestError
    ? error
    : new RequestError(-32603, `The demo agent failed: ${getMessage(error)}`);
}

export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a file operation failed because the file doesn't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
