import { RequestError } from '@agentclientprotocol/sdk/unstable';

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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a file operation failed because the file doesn't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
