import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PopupButtonProps {
  readonly class: string;
  readonly label: string;
  readonly title: string;
  readonly popupClass: string;
  /** What stands in the button. */
  readonly face: ComponentChildren;
  /** What is in the popup; `close` gives the focus back to the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens something above the composer, which goes with Escape or when the focus goes elsewhere. */
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
        // Before the popup loses the focus to this button, and closes.
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
            // One that is inside of it closes first.
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
