import { ownKeys } from '../keyboard/keyboard';

const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/** The user's own ways of scrolling a list, as opposed to what moves with its heights. */
export interface UserScroll {
  /** Whether the user has set out to scroll up, and nothing has moved yet. */
  readonly isSettingOut: boolean;
  /** Whether the user holds the scroll bar, or drags a selection. */
  readonly isDragging: boolean;
  /** Notes that the list has scrolled up. */
  arrived(): void;
  dispose(): void;
}

/**
 * Watches a list. `setsOut` is called at once when the user scrolls up, not with the first step of a
 * smooth scroll: a new entry in between would undo it.
 */
export function watchUserScroll(list: HTMLElement, setsOut: () => void): UserScroll {
  const abort = new AbortController();
  const options = { passive: true, signal: abort.signal };
  let isSettingOut = false;
  let isHeld = false;
  let touchedAt = Infinity;
  const turn = (isUp: boolean): void => {
    isSettingOut = isUp && list.scrollTop > 0;
    if (isSettingOut) {
      setsOut();
    }
  };
  const onWheel = ({ ctrlKey, deltaY }: WheelEvent): void => {
    // With Ctrl, it zooms.
    if (!ctrlKey && deltaY !== 0) {
      turn(deltaY < 0);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Element && event.target.closest(ownKeys))) {
      turn(isUpKey(event, list));
    }
  };
  const onTouch = ({ type, touches: [touch] }: TouchEvent): void => {
    if (touch && type === 'touchmove' && touch.clientY !== touchedAt) {
      turn(touch.clientY > touchedAt);
    }
    touchedAt = touch?.clientY ?? Infinity;
  };
  // The release of a scroll bar isn't always reported, but the next movement without it is.
  const onPointer = ({ type, target, buttons }: PointerEvent): void => {
    isHeld = type === 'pointerdown' ? target === list : buttons > 0 && (isHeld || isIn(target));
  };
  const isIn = (target: EventTarget | null): boolean =>
    target instanceof Node && list.contains(target);
  list.addEventListener('wheel', onWheel, options);
  list.addEventListener('keydown', onKey, options);
  list.addEventListener('touchstart', onTouch, options);
  list.addEventListener('touchmove', onTouch, options);
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const) {
    window.addEventListener(type, onPointer, options);
  }
  return {
    get isSettingOut() {
      return isSettingOut;
    },
    get isDragging() {
      return isHeld;
    },
    arrived: () => {
      isSettingOut = false;
    },
    dispose: () => abort.abort(),
  };
}

function isUpKey({ key, altKey, shiftKey, target }: KeyboardEvent, list: HTMLElement): boolean {
  const isText = target === list || (target instanceof Element && target.matches('.row'));
  return (upKeys.has(key) && !altKey) || (key === ' ' && shiftKey && isText);
}
