/** A value within this many arrays and objects. */
export function nested(levels: number, core: unknown = 'core'): unknown {
  let value = core;
  for (let level = 0; level < levels; level++) {
    value = level % 3 === 0 ? [value] : { content: value };
  }
  return value;
}
