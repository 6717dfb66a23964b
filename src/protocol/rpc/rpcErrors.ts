import { asArray, asString, isObject } from '../../util/json';
import { boundedJson } from '../bounds';
import { AcpError, type AcpErrorCode, internalError } from '../errors';

/** The error code of a canceled request (CA-7). */
export const cancelledCode = -32800;

/** JSON-RPC error codes (ER-3); any other code is `rpc`. */
const codes: ReadonlyMap<number, AcpErrorCode> = new Map([
  [-32700, 'malformed'],
  [-32600, 'malformed'],
  [-32601, 'unsupported'],
  [-32602, 'invalidParams'],
  [cancelledCode, 'cancelled'],
  [-32000, 'authRequired'],
  [-32002, 'gone'],
  [-32022, 'version'],
]);

const maxMessage = 500;

/** Converts an agent's error answer. The message includes the text in its `data` (ER-4). */
export function fromRpcError(error: {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}): AcpError {
  const code = codes.get(error.code) ?? 'rpc';
  const subject = code === 'version' ? supportedVersions(error.data) : undefined;
  const detail = detailOf(error.data);
  const text =
    detail && !error.message.includes(detail) ? `${error.message}: ${detail}` : error.message;
  return new AcpError(code, text.slice(0, maxMessage), {
    rpcCode: error.code,
    data: boundedJson(error.data),
    ...(subject && { subject }),
  });
}

/** More versions than the protocol will have for a long time. */
const mostVersions = 10;

/** The versions that the agent speaks instead of the one that it was asked for (V2-RPC-5). */
function supportedVersions(data: unknown): string {
  const supported = isObject(data) ? asArray(data['supported']) : [];
  return supported
    .slice(0, mostVersions)
    .filter((version) => Number.isSafeInteger(version))
    .join(', ');
}

function detailOf(data: unknown): string | undefined {
  if (!isObject(data)) {
    return asString(data);
  }
  return asString(data['details']) ?? asString(data['message']) ?? asString(data['error']);
}

const missing = /not found|unknown|invalid|no such|does ?n.t exist|does not exist|missing/i;

/**
 * A missing session is reported as -32002 according to the protocol, but in practice also as -32602
 * or -32603 with a text about a session (ER-5, T-14); all of them become `gone`.
 */
export function asSessionError(error: AcpError): AcpError {
  const { rpcCode } = error.facts;
  const mayMeanGone = rpcCode === -32602 || rpcCode === internalError;
  if (!mayMeanGone || !/session/i.test(error.message) || !missing.test(error.message)) {
    return error;
  }
  return new AcpError('gone', error.message, error.facts, { cause: error });
}

/**
 * The error code that an agent receives when its request fails here; it receives no further details
 * (ER-3, T-35).
 */
export function toRpcCode(error: unknown): number {
  switch (error instanceof AcpError ? error.code : undefined) {
    case 'invalidParams':
      return -32602;
    case 'gone':
      return -32002;
    case 'unsupported':
      return -32601;
    case 'cancelled':
      return cancelledCode;
    default:
      return internalError;
  }
}
