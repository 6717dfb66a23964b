/**
 * Leaves Select All in a field to the browser. VS Code also runs its own command, which arrives
 * later (seen in 1.139 in the browser) and selects text typed in the meantime, which the next
 * keystroke then replaces.
 */
export function keepSelectAll(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isSelectAll = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'a';
    if (isSelectAll && target instanceof Element && target.matches('input, textarea')) {
      event.stopPropagation();
    }
  });
}
