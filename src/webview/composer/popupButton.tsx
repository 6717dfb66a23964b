import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PopupButtonProps {
  readonly class: string;
  readonly label: string;
  readonly title: string;
  readonly popupClass: string;
  /** The button's content. */
  readonly face: ComponentChildren;
  /** The popup's content; `close` returns the focus to the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a popup above the composer, which closes on Escape or when it loses the focus. */
export function PopupButton(props: PopupButtonProps): VNode {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) {
      (popup.current?.querySelector('button') ?? popup.current)?.focus();
    }
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class}
        title={props.title}
        aria-label={props.label}
        aria-haspopup="dialog"
        aria-expanded={open}
        // Otherwise the popup would lose the focus to this button, and close, before the click toggles it.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
      >
        {props.face}
      </button>
      {open && (
        <div
          ref={popup}
          class={`popup ${props.popupClass}`}
          role="dialog"
          aria-label={props.label}
          tabIndex={-1}
          onKeyDown={(event) => {
            // A popup inside this one closes first.
            if (event.key === 'Escape' && !event.defaultPrevented) {
              event.preventDefault();
              close();
            }
          }}
          onFocusOut={({ currentTarget, relatedTarget }) => {
            if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
              setOpen(false);
            }
          }}
        >
          {props.children(close)}
        </div>
      )}
    </>
  );
}
