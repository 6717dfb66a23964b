import { withoutSecrets, withoutTokens } from '../../util/secrets/secretText';
import type { RedactionRules } from '../rpc/redaction';
import { patchPlaceholder } from './patchPlaceholder';
import { placeholder } from './placeholder';
import { bytesPlaceholder, changedBytes } from './terminalBytes';

/** Far above what agents send, far below what overflows the stack. */
const maxDepth = 100;

/** What this client reads of `_meta`; whatever else is in there is hidden. */
const meta: ReadonlySet<string> = new Set([
  ...['data', 'terminal_id', 'parentToolUseId', 'toolName', 'type'],
  ...['state', 'lastTurnEndedAt', 'gitBranch', 'currency', 'messageId', 'idleBehavior', 'outcome'],
]);

/** Values under these keys are sent back, compared or looked up, and are never texts. */
const isId = (key: string): boolean => /^id$|Ids?$|_id$|[cC]ursor$/.test(key);

/** Members that only have a few values, or say when or by whom. */
const kinds: ReadonlySet<string> = new Set([
  ...['jsonrpc', 'method', 'type', 'kind', 'status', 'state', 'role', 'mimeType', 'priority'],
  ...['sessionUpdate', 'stopReason', 'outcome', 'action', 'severity', 'category', 'operation'],
  ...['updatedAt', 'createdAt', 'lastTurnEndedAt', 'timestamp', 'currency', 'version', 'signal'],
  ...['parentToolUseId', 'toolName', 'currentValue', 'fileType', 'format'],
]);

/** The rules by which messages are written to a trace: those of the traffic log, with long texts in full. */
export function traceRules(
  texts: 'kept' | 'placeholders',
  withoutHeld: (text: string) => string,
): RedactionRules {
  const common = { meta, maxItems: Infinity, maxValues: Infinity, maxDepth };
  const kept = (text: string, key: string): string =>
    // A cursor may look like a secret, and must stay what it is.
    isId(key) ? withoutTokens(withoutHeld(text)) : withoutSecrets(withoutHeld(text));
  if (texts === 'kept') {
    const bytes = (data: string): string => changedBytes(data, (text) => kept(text, ''));
    return { ...common, text: kept, bytes, name: (key) => kept(key, '') };
  }
  return {
    ...common,
    text: (text, key, owner) => {
      // Anything with spaces in it is a text, whatever it is called.
      if ((isId(key) || kinds.has(key)) && !/\s/.test(text)) {
        return kept(text, key);
      }
      return key === 'text' && owner === 'patch' ? patchPlaceholder(text) : placeholder(text);
    },
    bytes: bytesPlaceholder,
    // Answers are members that are called like their questions, changes like their files.
    name: (key) => (/^[\w$-]{1,80}$/.test(key) ? kept(key, '') : placeholder(key)),
  };
}
