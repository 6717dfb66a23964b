import { withoutSecrets } from '../../util/secrets/secretText';
import { hidden } from '../../util/secrets/spans';
import type { MessageDirection } from '../messageTap';
import { type RedactionRules, redacted } from './redaction';

/** Receives a connection's messages; costs nothing while disabled. */
export interface TrafficLog {
  readonly enabled: boolean;
  /** `text` is the message as JSON, with secrets replaced and long values shortened. */
  write(direction: MessageDirection, text: string): void;
  /** Something about the connection that no message says. */
  note?(text: string): void;
}

const maxString = 200;
/** Longer than what is shown: a secret that is cut off may not look like one. */
const maxRead = 1000;

/**
 * The message as a single line of JSON without secrets, for a log that users attach to bug reports. `withoutHeld`
 * removes what settings and sign-ins hold.
 */
export function redactedText(
  message: unknown,
  withoutHeld: (text: string) => string = (text) => text,
): string {
  const rules: RedactionRules = {
    text: (text) => shortened(text, withoutHeld),
    name: (key) => shortened(key, withoutHeld),
    bytes: () => hidden,
    maxItems: 50,
    maxValues: 1000,
    maxDepth: 20,
  };
  return JSON.stringify(redacted(message, rules));
}

function shortened(text: string, withoutHeld: (text: string) => string): string {
  const shown = withoutSecrets(withoutHeld(text.slice(0, maxRead)));
  return text.length > maxString
    ? `${shown.slice(0, maxString)}… (${text.length} characters)`
    : shown;
}
