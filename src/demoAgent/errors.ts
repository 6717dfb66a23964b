import { RequestError } from '@agentclientprotocol/sdk/unstable';

/** The session is unknown, or not open on this connection (ER-3: -32002 with `data.sessionId`). */
export function sessionNotFound(sessionId: string): RequestError {
  return new RequestError(-32002, `There is no session ${JSON.stringify(sessionId.slice(0, 80))}`, {
    sessionId,
  });
}

/** A parameter that is well formed but can't be used (-32602); `message` says what to do. */
export function unusable(message: string): RequestError {
  return new RequestError(-32602, message);
}

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a file operation failed because the file isn't there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
