import type {
  RefObject,
  TargetedFocusEvent,
  TargetedKeyboardEvent,
  TargetedPointerEvent,
} from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isComposing } from './keys/composing';

/** A popup and the button that opens it. */
export interface Popup {
  readonly open: boolean;
  readonly show: () => void;
  /** Closes the popup and returns the focus to the button. */
  readonly close: () => void;
  /** Attributes of the button. */
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-expanded': boolean;
    readonly onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => void;
    readonly onClick: () => void;
  };
  /** Attributes of the popup itself. */
  readonly content: {
    readonly onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => void;
    readonly onFocusOut: (event: TargetedFocusEvent<HTMLElement>) => void;
  };
}

/** A popup that closes on Escape, when it loses the focus, and with another click on its button. */
export function usePopup(): Popup {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const show = (): void => setOpen(true);
  return {
    open,
    show,
    close,
    button: {
      ref: button,
      'aria-expanded': open,
      // Otherwise the popup would lose the focus to the button, and close, before the click does.
      onPointerDown: (event) => event.preventDefault(),
      onClick: open ? close : show,
    },
    content: {
      onKeyDown: (event) => {
        // A popup inside this one closes first.
        if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) {
          event.preventDefault();
          close();
        }
      },
      onFocusOut: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          setOpen(false);
        }
      },
    },
  };
}
