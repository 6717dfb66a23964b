import { asArray, asString, isObject } from '../../util/json';
import { withoutSecrets } from '../../util/secrets/secretText';
import { boundedJson } from '../bounds';
import { AcpError, type AcpErrorCode, cancelledCode, internalError } from '../errors';

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
/** Longer than what is kept: a secret that is cut off may not look like one. */
const maxRead = 4000;

/** Converts an agent's error answer. The message includes the text in its `data` (ER-4), and no secret. */
export function fromRpcError(
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  redact: (text: string) => string = withoutSecrets,
): AcpError {
  const code = saysLoggedOut(error) ? 'authRequired' : (codes.get(error.code) ?? 'rpc');
  const subject = code === 'version' ? supportedVersions(error.data) : undefined;
  const detail = findDetail(error.data);
  const text =
    detail && !error.message.includes(detail) ? `${error.message}: ${detail}` : error.message;
  return new AcpError(code, redact(text.slice(0, maxRead)).slice(0, maxMessage), {
    rpcCode: error.code,
    data: boundedJson(error.data),
    ...(subject && { subject }),
  });
}

/** Codex answers a turn whose login has ended with an error of its own kind, in either of these two forms (AUTH-13). */
function saysLoggedOut({
  code,
  data,
}: {
  readonly code: number;
  readonly data?: unknown;
}): boolean {
  const info = code === internalError && isObject(data) ? data['codexErrorInfo'] : undefined;
  return (
    info === 'unauthorized' ||
    (isObject(info) &&
      Object.values(info)
        .slice(0, 1)
        .some((details) => isObject(details) && details['httpStatusCode'] === 401))
  );
}

/** Maximum number of versions: the protocol won't have more for a long time. */
const maxVersions = 10;

/** The versions that the agent speaks instead of the one that it was asked for (V2-RPC-5). */
function supportedVersions(data: unknown): string {
  const supported = isObject(data) ? asArray(data['supported']) : [];
  return supported
    .slice(0, maxVersions)
    .filter((version) => Number.isSafeInteger(version))
    .join(', ');
}

function findDetail(data: unknown): string | undefined {
  if (!isObject(data)) {
    return asString(data);
  }
  return asString(data['details']) ?? asString(data['message']) ?? asString(data['error']);
}

const missing = /not found|unknown|invalid|no such|does ?n.t exist|does not exist|missing/i;

const inUse = String.raw`(?:active|open(?:ed)?|loaded|running|in use|held|locked|attached|owned)`;
const others = String.raw`(?:another|a different|(?:some )?other) (?:\S+ )?(?:process|client|instance|window|terminal|connection|application|app|program|cli|server|user)`;
const held = new RegExp(
  String.raw`\b(?:is|are|already|currently)(?: already| currently| being)? ${inUse}\b|\b${inUse} (?:in|by|with|from|at|elsewhere)\b[^.]{0,20}\b${others}\b|\b${others}\b[^.]{0,40}\b(?:has|holds|uses|owns|is using|locked)\b|\bis locked\b`,
  'i',
);
const notHeld =
  /\b(?:no longer|not|isn.t|never)\b[^.]{0,20}\b(?:active|open|loaded|running|found|exist)/i;

/**
 * A missing session is reported as -32002 according to the protocol, but in practice also as -32602
 * or -32603 with a text about a session (ER-5, T-14); all of them become `gone`. That a session is open elsewhere has
 * no code of its own, and comes with any of them and -32600; only the text tells (T-60).
 */
export function asSessionError(error: AcpError): AcpError {
  const { rpcCode } = error.facts;
  if (error.code !== 'authRequired' && saysHeld(error.message)) {
    return new AcpError('held', error.message, error.facts, { cause: error });
  }
  const mayMeanGone = rpcCode === -32602 || rpcCode === internalError;
  if (!mayMeanGone || !/session/i.test(error.message) || !missing.test(error.message)) {
    return error;
  }
  return new AcpError('gone', error.message, error.facts, { cause: error });
}

function saysHeld(message: string): boolean {
  return (
    /session|conversation|thread|chat/i.test(message) &&
    held.test(message) &&
    !notHeld.test(message)
  );
}
