import type { FromWebview } from '../shared/messages';
import type { FindState } from './find/findState';
import type { TranscriptState } from './state';

interface Keyboard {
  readonly state: TranscriptState;
  readonly find: FindState;
  readonly post: (message: FromWebview) => void;
  /** Closes the find widget and gives the focus back. */
  readonly closeFind: () => void;
}

/** What uses Home, End, Alt and the arrow keys itself. */
export const ownKeys = 'input, textarea, select, [role="listbox"]';
/** Where Escape is meant for what is being filled in, not for the turn: all fields but the prompt. */
const otherFields = 'input, select, textarea:not(.prompt-input)';

/** The keys of the page itself, besides those that VS Code's keybindings have; `true` when one was taken. */
export function handleKey(event: KeyboardEvent, keyboard: Keyboard): boolean {
  const { state, find } = keyboard;
  // Taken already, or an input method's.
  if (event.defaultPrevented || event.isComposing) {
    return false;
  }
  if (find.open.peek()) {
    if (event.key === 'Escape') {
      keyboard.closeFind();
      return true;
    }
    if (event.key === 'F3' || (event.metaKey && event.key.toLowerCase() === 'g')) {
      find.step(event.shiftKey ? -1 : 1);
      return true;
    }
  }
  const target = event.target instanceof Element ? event.target : undefined;
  if (event.key === 'Escape') {
    return !target?.closest(otherFields) && stopTurn(keyboard);
  }
  if (target?.closest(ownKeys)) {
    return false;
  }
  return !event.altKey && !event.shiftKey && moveTo(event, state);
}

/** Asks the agent to stop, once (CA-1). */
function stopTurn({ state, post }: Keyboard): boolean {
  const turn = state.session.peek()?.turn;
  if (turn?.kind !== 'running' || turn.cancelling) {
    return false;
  }
  post({ type: 'cancelTurn' });
  return true;
}

/** Home and End go to the first and newest entry; arrows to the next row once a row has the focus. */
function moveTo(event: KeyboardEvent, state: TranscriptState): boolean {
  const onRow = event.target instanceof HTMLElement && event.target.dataset['index'] !== undefined;
  switch (event.key) {
    case 'Home':
      state.show(0, 'entry');
      return true;
    case 'End':
      state.jumpToLatest();
      return true;
    case 'ArrowDown':
    case 'ArrowUp':
      if (onRow && !event.ctrlKey && !event.metaKey) {
        state.show(state.current + (event.key === 'ArrowDown' ? 1 : -1), 'entry');
        return true;
      }
      return false;
    default:
      return false;
  }
}
