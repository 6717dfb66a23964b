import { contributes } from '../../../../package.json';
import type { ToWebview } from '../../../../src/shared/transcript/webviewMessages';
import { commandIds } from '../../../support/commandIds';

/** The host's message for each command that has a key binding in a transcript. */
const messages: Readonly<Record<string, ToWebview>> = {
  [commandIds.findInTranscript]: { type: 'command', command: 'find' },
  [commandIds.jumpToLatest]: { type: 'command', command: 'jumpToLatest' },
  [commandIds.nextTurn]: { type: 'go', target: 'turn', direction: 'next' },
  [commandIds.previousTurn]: { type: 'go', target: 'turn', direction: 'previous' },
  [commandIds.nextToolCall]: { type: 'go', target: 'toolCall', direction: 'next' },
  [commandIds.previousToolCall]: { type: 'go', target: 'toolCall', direction: 'previous' },
  [commandIds.nextChange]: { type: 'go', target: 'diff', direction: 'next' },
  [commandIds.previousChange]: { type: 'go', target: 'diff', direction: 'previous' },
  [commandIds.nextError]: { type: 'go', target: 'error', direction: 'next' },
  [commandIds.previousError]: { type: 'go', target: 'error', direction: 'previous' },
};

/** The manifest's single-chord key bindings, with the messages that they cause. */
const bindings = contributes.keybindings.flatMap(({ key, command }) => {
  const message = messages[command];
  return message === undefined || key.includes(' ') ? [] : [{ key, message }];
});

/** A page in a browser, or on a DOM in Node. */
interface BoundPage<Added> {
  addInitScript(run: (bound: typeof bindings) => void, bound: typeof bindings): Promise<Added>;
}

/** Stands in for VS Code, which receives the keys pressed in a page and runs the bound commands. */
export function bindKeys<Added>(page: BoundPage<Added>): Promise<Added> {
  return page.addInitScript((bound) => {
    const names: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down' };
    document.addEventListener('keydown', (event) => {
      const pressed = [
        ...(event.ctrlKey ? ['ctrl'] : []),
        ...(event.shiftKey ? ['shift'] : []),
        ...(event.altKey ? ['alt'] : []),
        names[event.key] ?? event.key.toLowerCase(),
      ].join('+');
      const binding = bound.find(({ key }) => key === pressed);
      if (binding !== undefined) {
        event.preventDefault();
        window.postMessage(binding.message);
      }
    });
  }, bindings);
}

interface SearchedPage {
  readonly keyboard: { press(key: string): Promise<void> };
  locator(selector: string): { waitFor(): Promise<void> };
}

/** Opens the find widget with its key binding, and waits until it has the focus. */
export async function openFind(page: SearchedPage): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.locator('.find-input input:focus').waitFor();
}
