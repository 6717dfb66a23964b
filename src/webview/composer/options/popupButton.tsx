import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePopup } from '../../usePopup';

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
  const { open, close, button, content } = usePopup();
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) {
      (element.current?.querySelector('button') ?? element.current)?.focus();
    }
  }, [open]);
  return (
    <>
      <button
        {...button}
        type="button"
        class={props.class}
        title={props.title}
        aria-label={props.label}
        aria-haspopup="dialog"
      >
        {props.face}
      </button>
      {open && (
        <div
          {...content}
          ref={element}
          class={`popup ${props.popupClass}`}
          role="dialog"
          aria-label={props.label}
          tabIndex={-1}
        >
          {props.children(close)}
        </div>
      )}
    </>
  );
}
