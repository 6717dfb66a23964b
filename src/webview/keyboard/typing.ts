import type { FromWebview } from '../../shared/transcript/webviewMessages';
import { ownKeys } from './keyboard';

/** Notifies the host whether a field has the focus: navigation keys then belong to the field. */
export function tellTyping(post: (message: FromWebview) => void): void {
  const tell = (focused: Element | null): void =>
    post({ type: 'typing', typing: Boolean(focused?.closest(ownKeys)) });
  document.addEventListener('focusin', ({ target }) =>
    tell(target instanceof Element ? target : null),
  );
  // A newly focused element sends its own message; without one, no field has the focus.
  document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget ?? tell(null));
  // Meanwhile another tab may have reported its state, or closed while its field had the focus.
  window.addEventListener('focus', () => tell(document.activeElement));
}
