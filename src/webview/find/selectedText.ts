/** The text selected in the transcript; empty while a field has the focus, whose selection is separate. */
export function selectedText(): string {
  const isField = document.activeElement?.matches('input, textarea') === true;
  return isField ? '' : (document.getSelection()?.toString() ?? '');
}
