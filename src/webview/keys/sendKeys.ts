import { isComposing } from './composing';
import { isMac } from './isMac';

type EnterKey = 'Enter' | 'Ctrl+Enter' | 'Ctrl+Shift+Enter';

/** The keys that send a prompt, and send it into the running turn; Ctrl is Command on macOS. */
export interface SendKeys {
  readonly send: EnterKey;
  readonly now: EnterKey;
}

const plain: SendKeys = { send: 'Enter', now: 'Ctrl+Enter' };
const withCtrl: SendKeys = { send: 'Ctrl+Enter', now: 'Ctrl+Shift+Enter' };

export function findSendKeys(sendsWithCtrl: boolean | undefined): SendKeys {
  return sendsWithCtrl ? withCtrl : plain;
}

/** The key as a label. */
export function keyLabel(key: EnterKey): string {
  return isMac ? key.replace('Ctrl+', '⌘').replace('⌘Shift+', '⇧⌘') : key;
}

/** Which of them is pressed; ignores keys during an input method's composition. */
export function readEnterKey(event: KeyboardEvent): EnterKey | undefined {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  const hasOther = altKey || (isMac ? ctrlKey : metaKey);
  if (key !== 'Enter' || hasOther || isComposing(event)) {
    return undefined;
  }
  if (isMac ? metaKey : ctrlKey) {
    return shiftKey ? 'Ctrl+Shift+Enter' : 'Ctrl+Enter';
  }
  return shiftKey ? undefined : 'Enter';
}
