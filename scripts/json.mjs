// @ts-check

/**
 * Reads JSON that we or npm wrote, as what its reader knows it to be.
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
