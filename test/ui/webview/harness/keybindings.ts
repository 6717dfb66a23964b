import { contributes } from '../../../../package.json';
import type { ToWebview } from '../../../../src/shared/transcript/webviewMessages';
import { commandIds } from '../../../support/commandIds';

interface Binding {
  readonly key: string;
  readonly command: string;
  readonly args?: { readonly to?: string; readonly direction?: string };
}

/** The host's message for a key binding in a transcript; `undefined` if it has none. */
function messageOf({ command, args }: Binding): ToWebview | undefined {
  switch (command) {
    case commandIds.findInTranscript:
      return { type: 'command', command: 'find' };
    case commandIds.go:
      return args?.to === 'latest'
        ? { type: 'command', command: 'jumpToLatest' }
        : ({ type: 'go', target: args?.to, direction: args?.direction } as ToWebview);
    default:
      return undefined;
  }
}

/** The manifest's single-chord key bindings, with the messages that they cause. */
const bindings = (contributes.keybindings as readonly Binding[]).flatMap((binding) => {
  const message = messageOf(binding);
  return message === undefined || binding.key.includes(' ') ? [] : [{ key: binding.key, message }];
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
