/** The key code of keys that an input method handles. */
const handledByInputMethod = 229;

/**
 * Whether a key belongs to an input method's composition. Safari reports the Enter that ends one only after its end,
 * and says so by the code alone (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else says it in Safari
  return event.isComposing || event.keyCode === handledByInputMethod;
}
