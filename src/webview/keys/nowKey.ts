import { isComposing } from './composing';
import { isMac } from './isMac';

/** The key that sends a prompt into the running turn, as a label. */
export const nowKey = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** Ignores keys during an input method's composition. */
export function isNowKey(event: KeyboardEvent): boolean {
  const isAlone = !event.altKey && !event.shiftKey && !isComposing(event);
  return event.key === 'Enter' && isAlone && (isMac ? event.metaKey : event.ctrlKey);
}
