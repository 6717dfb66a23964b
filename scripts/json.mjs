// @ts-check

/**
 * Parses JSON that this project or npm wrote; the caller vouches for its type.
 *
 * @template T
 * @param {string} text
 * @returns {T}
 */
export function parseJson(text) {
  /** @type {unknown} */
  const value = JSON.parse(text);
  return /** @type {T} */ (value);
}
