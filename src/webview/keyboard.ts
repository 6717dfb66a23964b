import type { FromWebview } from '../shared/messages';
import type { Direction, Landmark } from '../shared/outline';
import type { FindState } from './find/findState';
import type { TranscriptState } from './state';

interface Keyboard {
  readonly state: TranscriptState;
  readonly find: FindState;
  readonly post: (message: FromWebview) => void;
  /** Closes the find widget and gives the focus back. */
  readonly closeFind: () => void;
  /** Takes the focus from a field back to what is read. */
  readonly leaveField: (field: Element) => void;
}

interface Seek {
  readonly target: Landmark;
  readonly direction: Direction;
}

/** With Alt, as VS Code moves between changes, messages and problems. */
const seeks: Readonly<Record<string, Seek>> = {
  ArrowDown: { target: 'turn', direction: 'next' },
  ArrowUp: { target: 'turn', direction: 'previous' },
  PageDown: { target: 'toolCall', direction: 'next' },
  PageUp: { target: 'toolCall', direction: 'previous' },
  'Shift+PageDown': { target: 'diff', direction: 'next' },
  'Shift+PageUp': { target: 'diff', direction: 'previous' },
  F8: { target: 'error', direction: 'next' },
  'Shift+F8': { target: 'error', direction: 'previous' },
};

/** What uses Home, End and the arrow keys itself. */
const ownKeys = 'input, textarea, select, [role="listbox"]';
const fields = 'input, textarea, select';

/** The keys of the transcript; `true` when one was taken. */
export function handleKey(event: KeyboardEvent, keyboard: Keyboard): boolean {
  const { state, find } = keyboard;
  // Taken already, or an input method's.
  if (event.defaultPrevented || event.isComposing) {
    return false;
  }
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f') {
    find.show();
    return true;
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
  const seek = event.altKey && !command ? seekOf(event) : undefined;
  if (seek) {
    state.seek(seek.target, seek.direction);
    return true;
  }
  return !event.altKey && !event.shiftKey && moveTo(event, state);
}

function seekOf({ key, shiftKey }: KeyboardEvent): Seek | undefined {
  const name = shiftKey ? `Shift+${key}` : key;
  return Object.hasOwn(seeks, name) ? seeks[name] : undefined;
}

/** Out of the field first; from anywhere else the second press asks the agent to stop, once (CA-1). */
function escape(field: Element | null | undefined, keyboard: Keyboard): boolean {
  const { state, post, leaveField } = keyboard;
  if (field) {
    leaveField(field);
    return true;
  }
  const turn = state.session.peek()?.turn;
  if (turn?.kind !== 'running' || turn.cancelling) {
    return false;
  }
  if (state.stopKey.press()) {
    post({ type: 'cancelTurn' });
  }
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
        state.show(state.rows.next(state.current, event.key === 'ArrowDown' ? 1 : -1), 'entry');
        return true;
      }
      return false;
    default:
      return false;
  }
}
