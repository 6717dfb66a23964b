import type { FormField } from './agentQuestions';

const looksSecret = /passw(or)?d|passphrase|secret|token|api[-_ ]?key|credential|private[-_ ]?key/i;

/** Whether a field seems to ask for a secret, which no form should do (EL-17). */
export function isSecret({ name, title }: FormField): boolean {
  return looksSecret.test(name) || looksSecret.test(title);
}
