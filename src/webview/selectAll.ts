/**
 * Leaves selecting all of a field to the browser. VS Code does it as well, by a command that arrives some time later
 * (seen in 1.139 in the browser): over what has been typed since, which the next letter then replaces.
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
