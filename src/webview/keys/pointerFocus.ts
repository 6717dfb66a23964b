const mark = 'by-pointer';
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * Marks the page while the user works with a pointer: elements that are focused by a click, or by
 * its handler, then show no focus ring. Browsers draw one whenever a script sets the focus.
 */
export function notePointer(page: Document): void {
  const { classList } = page.documentElement;
  page.addEventListener('pointerdown', () => classList.add(mark), { capture: true });
  page.addEventListener('keydown', ({ key }) => !modifiers.has(key) && classList.remove(mark), {
    capture: true,
  });
}

/** Whether the user acted with a pointer last, not with a key. */
export function isByPointer(page: Document): boolean {
  return page.documentElement.classList.contains(mark);
}
