/** Keys that are held, not pressed. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * Marks the page while its user points: what gets the focus then, by a click or by what the click does, has
 * no frame around it. Browsers draw one wherever a script gives the focus.
 */
export function notePointer(page: Document): void {
  const { classList } = page.documentElement;
  page.addEventListener('pointerdown', () => classList.add('by-pointer'), { capture: true });
  page.addEventListener(
    'keydown',
    ({ key }) => !modifiers.has(key) && classList.remove('by-pointer'),
    { capture: true },
  );
}
