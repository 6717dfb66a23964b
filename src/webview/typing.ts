import type { FromWebview } from '../shared/transcript/webviewMessages';
import { ownKeys } from './keyboard';

/** Tells the host whether a field has the focus: keys that move in the transcript are the field's own then. */
export function tellTyping(post: (message: FromWebview) => void): void {
  const tell = (focused: Element | null): void =>
    post({ type: 'typing', typing: Boolean(focused?.closest(ownKeys)) });
  document.addEventListener('focusin', ({ target }) =>
    tell(target instanceof Element ? target : null),
  );
  // The next one that gets the focus tells for itself; without one nobody types here.
  document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget ?? tell(null));
  // Another tab may have said something else meanwhile, or have gone while one typed there.
  window.addEventListener('focus', () => tell(document.activeElement));
}
