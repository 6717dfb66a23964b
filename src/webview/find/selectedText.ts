/** What is selected where one reads; in fields it is something else. */
export function selectedText(): string {
  const isField = document.activeElement?.matches('input, textarea') === true;
  return isField ? '' : (document.getSelection()?.toString() ?? '');
}
