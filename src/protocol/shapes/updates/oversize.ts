import * as l10n from '@vscode/l10n';
import { byteSize } from '../../../shared/byteSize';
import { isObject, type JsonObject, parseJson } from '../../../util/json';
import type { OversizeLine } from '../../lineSplitter';
import type { Message, MessageId } from '../../rpc/envelope';
import type { Substitute } from '../../rpc/messageReader';

const jsonString = '"(?:[^"\\\\]|\\\\.)*"';
const scalar = `(?:-?\\d+|null|${jsonString})`;
/** A member of an object whose value is neither an object nor an array. */
const member = new RegExp(`\\s*(${jsonString}\\s*:\\s*${scalar})\\s*,`, 'y');
const name = new RegExp(`\\s*(${jsonString})\\s*:`, 'y');
/** The last members of a message, after the one that makes it large. */
const tail = new RegExp(
  `,\\s*((?:"(?:id|jsonrpc|method)"\\s*:\\s*${scalar}\\s*,\\s*)*"(?:id|jsonrpc|method)"\\s*:\\s*${scalar})\\s*\\}\\s*$`,
);
const sessionInHead = new RegExp(
  `"method"\\s*:\\s*"session/update"[^{]*\\{\\s*"sessionId"\\s*:\\s*(${jsonString})`,
);
const sessionInTail = new RegExp(
  `,\\s*"sessionId"\\s*:\\s*(${jsonString})\\s*\\}\\s*(?:,[^{}]*)?\\}\\s*$`,
);

/**
 * The substitute for a message that was dropped because of its size: a placeholder in the transcript in place of an
 * update, or an error answer, to this client or to the agent, so that nobody waits for the lost one. `undefined` if
 * neither its head nor its tail tells what it was.
 */
export function substituteFor(line: OversizeLine): Substitute | undefined {
  const members = getMembers(line);
  const { method, id } = members;
  const sessionId = findSession(line, method);
  if (id === undefined && sessionId !== undefined) {
    const label = l10n.t('{0}, too large to show', byteSize(line.bytes));
    const content = { type: 'unknown', label } as const;
    return {
      kind: 'update',
      event: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
    };
  }
  if (!isId(id)) {
    return undefined;
  }
  const size = `${byteSize(line.bytes)} is more than a message may have`;
  if (typeof method === 'string' || 'params' in members) {
    return { kind: 'refusal', message: failure(id, `The request was dropped: ${size}`) };
  }
  return 'result' in members || 'error' in members
    ? { kind: 'answer', message: failure(id, `The answer was dropped: ${size}`) }
    : undefined;
}

function failure(id: MessageId, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code: -32600, message } };
}

/** The members of a message that can be recovered: those before and after the large one, and that one's name. */
function getMembers({ head, tail: end }: OversizeLine): JsonObject {
  const start = /^\s*\{/.exec(head)?.[0].length;
  if (start === undefined) {
    return {};
  }
  const found: string[] = [];
  let at = start;
  member.lastIndex = at;
  for (let match = member.exec(head); match !== null; match = member.exec(head)) {
    found.push(match[1] ?? '');
    at = member.lastIndex;
  }
  name.lastIndex = at;
  const large = name.exec(head)?.[1];
  const behind = tail.exec(end)?.[1];
  const texts = [...found, ...(large ? [`${large}:null`] : []), ...(behind ? [behind] : [])];
  const members = parseJson(`{${texts.join(',')}}`);
  return isObject(members) ? members : {};
}

function findSession({ head, tail: end }: OversizeLine, method: unknown): string | undefined {
  const inTail = method === 'session/update' ? sessionInTail.exec(end)?.[1] : undefined;
  const sessionId = parseJson(sessionInHead.exec(head)?.[1] ?? inTail);
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
