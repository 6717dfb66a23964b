import { isObject } from '../util/json';
import { AcpError, type AcpErrorCode, cancelledCode, internalError } from './errors';

/** An error answer to a request of an agent. */
export interface RpcRefusal {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly reason: string };
}

interface Reason {
  /** The code of the error by which this side knows it. */
  readonly code: AcpErrorCode;
  readonly rpcCode: number;
  /**
   * What the agent is told. It repeats what the request itself has named, and nothing else: `{path}`, `{command}`,
   * `{cwd}`, `{terminalId}`, `{sessionId}`, `{method}`, and `{what}`, whichever of them the request is about. `{error}`
   * is the system's name of a failure; `{message}` is ours, and only about the params.
   */
  readonly says: string;
}

const [notFound, invalid] = [-32002, -32602];

/**
 * Why a request of an agent isn't done (ER-3, FS-5). Agents pass these sentences on to their models, and some look for
 * words in them: what isn't there is "not found". docs/agent-requests.md has this table for their authors.
 */
export const reasons = {
  resourceNotFound: { code: 'gone', rpcCode: notFound, says: 'Resource not found: {path}' },
  sessionNotFound: {
    ...{ code: 'gone', rpcCode: notFound },
    says: 'Session not found: {sessionId} is not open here',
  },
  terminalNotFound: {
    ...{ code: 'gone', rpcCode: notFound },
    says: 'Terminal not found: {terminalId} was released, or is none of this session',
  },
  commandNotFound: { code: 'notFound', rpcCode: notFound, says: 'Command not found: {command}' },
  folderNotFound: { code: 'notFound', rpcCode: notFound, says: 'Folder not found: {cwd}' },
  invalidParams: { code: 'invalidParams', rpcCode: invalid, says: 'Invalid params: {message}' },
  invalidPath: {
    ...{ code: 'invalidParams', rpcCode: invalid },
    says: 'Not the absolute path of a file on this machine: {path}',
  },
  outsideFolders: {
    ...{ code: 'invalidParams', rpcCode: invalid },
    says: "Outside of the session's folders: {path}",
  },
  pathBroken: {
    ...{ code: 'invalidParams', rpcCode: invalid },
    says: 'A part of this path is a file, or a link that leads nowhere or was changed: {path}',
  },
  isFolder: {
    ...{ code: 'invalidParams', rpcCode: invalid },
    says: 'Is a folder, not a file: {path}',
  },
  notAFile: { code: 'invalidParams', rpcCode: invalid, says: 'Not a regular file: {path}' },
  notText: { code: 'invalidParams', rpcCode: invalid, says: 'Not a text file: {path}' },
  tooLarge: {
    ...{ code: 'invalidParams', rpcCode: invalid },
    says: 'Too large, more than 50 MB: {path}',
  },
  refusedByUser: {
    ...{ code: 'cancelled', rpcCode: cancelledCode },
    says: 'The user rejected this: {what}',
  },
  refusedByRule: {
    ...{ code: 'cancelled', rpcCode: cancelledCode },
    says: "A rule in the user's settings rejects this: {what}",
  },
  unsavedChanges: {
    ...{ code: 'cancelled', rpcCode: cancelledCode },
    says: 'The user has unsaved changes in this file and keeps them: {path}',
  },
  cancelled: { code: 'cancelled', rpcCode: cancelledCode, says: '{method} was canceled' },
  changedMeanwhile: {
    ...{ code: 'cancelled', rpcCode: internalError },
    says: 'Changed by something else in the meantime, so try again: {path}',
  },
  permissionDenied: {
    ...{ code: 'rpc', rpcCode: internalError },
    says: 'The system denies access: {what}',
  },
  notExecutable: {
    ...{ code: 'notExecutable', rpcCode: internalError },
    says: 'Not a program that can be run: {command}',
  },
  commandTooLong: {
    ...{ code: 'notExecutable', rpcCode: invalid },
    says: 'Too long for this system: {command}',
  },
  tooMany: {
    ...{ code: 'invalidParams', rpcCode: internalError },
    says: 'Too many at once: release terminals or wait for answers, then try again',
  },
  untrusted: {
    ...{ code: 'untrusted', rpcCode: internalError },
    says: "The user doesn't trust this workspace, so nothing is read, written or run in it",
  },
  saveFailed: {
    ...{ code: 'rpc', rpcCode: internalError },
    says: 'The editor could not save the file: {path}',
  },
  systemError: {
    ...{ code: 'rpc', rpcCode: internalError },
    says: 'The system reports an error ({error}): {what}',
  },
  serverNotFound: {
    ...{ code: 'gone', rpcCode: -33001 },
    says: 'MCP server not found: no session that is open here has it',
  },
  serverBusy: {
    ...{ code: 'rpc', rpcCode: -33000 },
    says: 'Too many requests to this MCP server at once: wait for answers, then try again',
  },
  serverFailed: { code: 'rpc', rpcCode: -33002, says: 'The MCP server failed' },
  unsupported: {
    ...{ code: 'unsupported', rpcCode: -32601 },
    says: '{method} is not supported here',
  },
  internal: { code: 'rpc', rpcCode: internalError, says: '{method} failed' },
} as const satisfies Record<string, Reason>;

type RefusalReason = keyof typeof reasons;

/**
 * The error for a request that isn't done. `message` is for the log; of it, the agent gets only that of `invalidParams`,
 * which must not name anything but the params.
 */
export function refusal(
  reason: RefusalReason,
  message: string,
  options: ErrorOptions = {},
): AcpError {
  return new AcpError(reasons[reason].code, message, { reason }, options);
}

/** The reasons of errors that say only by their code what is wrong. */
const reasonOfCode: Partial<Readonly<Record<AcpErrorCode, RefusalReason>>> = {
  cancelled: 'cancelled',
  notFound: 'commandNotFound',
  notExecutable: 'notExecutable',
  untrusted: 'untrusted',
  unsupported: 'unsupported',
};

/** The reasons of the system's errors, about a file that the request names. */
const reasonOfSystem: Readonly<Record<string, RefusalReason>> = {
  ENOENT: 'resourceNotFound',
  EISDIR: 'isFolder',
  ENOTDIR: 'pathBroken',
  ELOOP: 'pathBroken',
  ENAMETOOLONG: 'invalidPath',
  EACCES: 'permissionDenied',
  EPERM: 'permissionDenied',
  EROFS: 'permissionDenied',
  EEXIST: 'changedMeanwhile',
};

/** The codes of errors whose reason isn't known. */
const rpcCodeOf: Partial<Readonly<Record<AcpErrorCode, number>>> = {
  gone: notFound,
  invalidParams: invalid,
};

/** What an agent receives when its request has failed: nothing but what it has said itself (T-35). */
export function getRefusal(error: unknown, method: string, params: unknown): RpcRefusal {
  const named = namedIn(params);
  const errno = findErrno(error);
  const reason = getReason(error, errno, named['path'] !== undefined);
  const told = { ...substitutes, ...named, method, error: errno, message: getMessage(error) };
  const { rpcCode, says } = reasons[reason];
  return {
    code: (reason === 'internal' && error instanceof AcpError && rpcCodeOf[error.code]) || rpcCode,
    message: says.replace(/\{(\w+)\}/g, (_, key: keyof typeof told) => told[key] ?? ''),
    data: { reason },
  };
}

function getReason(error: unknown, errno: string | undefined, isAboutFile: boolean): RefusalReason {
  if (error instanceof AcpError) {
    return reasonOfError(error, errno, isAboutFile);
  }
  if (errno === undefined) {
    return 'internal';
  }
  return (isAboutFile ? reasonOfSystem[errno] : undefined) ?? 'systemError';
}

function reasonOfError(
  { code, facts }: AcpError,
  errno: string | undefined,
  isAboutFile: boolean,
): RefusalReason {
  if (facts.reason !== undefined && Object.hasOwn(reasons, facts.reason)) {
    return facts.reason as RefusalReason;
  }
  if (facts.missingFolder !== undefined) {
    return 'folderNotFound';
  }
  if (code === 'notExecutable' && errno === 'E2BIG') {
    return 'commandTooLong';
  }
  return code === 'gone' && isAboutFile ? 'resourceNotFound' : (reasonOfCode[code] ?? 'internal');
}

/** The system's name of a failure, such as `ENOSPC`. */
function findErrno(error: unknown): string | undefined {
  const codes = [error, error instanceof Error ? error.cause : undefined].map((one) =>
    typeof one === 'object' && one !== null && 'code' in one ? one.code : undefined,
  );
  return codes.find(
    (code): code is string => typeof code === 'string' && /^E[A-Z0-9]{1,20}$/.test(code),
  );
}

function getMessage(error: unknown): string {
  return error instanceof Error ? cut(error.message) : '';
}

const maxToldLength = 500;

function cut(text: string): string {
  return text.length > maxToldLength ? `${text.slice(0, maxToldLength)}…` : text;
}

/** What stands in place of what a request doesn't name. */
const substitutes = {
  what: 'the request',
  path: 'the file',
  command: 'the command',
  cwd: "the session's folder",
  terminalId: 'the terminal',
  sessionId: 'the session',
};

/** What the request names. */
function namedIn(params: unknown): Readonly<Partial<typeof substitutes>> {
  if (!isObject(params)) {
    return {};
  }
  const keys = ['path', 'command', 'cwd', 'terminalId', 'sessionId'] as const;
  const named = Object.fromEntries(
    keys.flatMap((key) => {
      const value = params[key];
      return typeof value === 'string' ? [[key, cut(value)]] : [];
    }),
  ) as Partial<typeof substitutes>;
  const what = named.path ?? named.command ?? named.terminalId;
  return what === undefined ? named : { ...named, what };
}
