import { canStop } from '../../shared/transcript/prompt';
import type { FromWebview } from '../../shared/transcript/webviewMessages';
import type { FindState } from '../find/findState';
import { isComposing } from '../keys/composing';
import type { TranscriptState } from '../state/state';

interface Keyboard {
  readonly state: TranscriptState;
  readonly find: FindState;
  readonly post: (message: FromWebview) => void;
  /** Closes the find widget and restores the focus. */
  readonly closeFind: () => void;
  /** Moves the focus from a field back to the transcript. */
  readonly leaveField: (field: Element) => void;
}

/** Elements that handle Home, End, Alt and the arrow keys themselves. */
export const ownKeys = 'input, textarea, select, [role="listbox"]';
export const fields = 'input, textarea, select';

/** Handles the keys that aren't VS Code keybindings; returns `true` when it handled one. */
export function handleKey(event: KeyboardEvent, keyboard: Keyboard): boolean {
  const { state, find } = keyboard;
  // Already handled, or part of an input method's composition.
  if (event.defaultPrevented || isComposing(event)) {
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
    return escape(target?.closest(fields), keyboard);
  }
  if (target?.closest(ownKeys)) {
    return false;
  }
  return !event.altKey && !event.shiftKey && moveTo(event, state);
}

/** Handles Escape: in a field, it leaves it; elsewhere, the second press asks the agent to stop, once (CA-1). */
function escape(field: Element | null | undefined, keyboard: Keyboard): boolean {
  const { state, post, leaveField } = keyboard;
  if (field) {
    leaveField(field);
    return true;
  }
  const turn = state.session.peek()?.turn;
  if (turn === undefined || !canStop(turn)) {
    return false;
  }
  if (state.stopKey.press()) {
    post({ type: 'cancelTurn' });
  }
  return true;
}

/**
 * Home and End go to the first and the newest entry; the arrow keys go to the adjacent row while a
 * row has the focus.
 */
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
        state.show(state.rows.next(state.current, event.key === 'ArrowDown' ? 1 : -1), 'entry');
        return true;
      }
      return false;
    default:
      return false;
  }
}
