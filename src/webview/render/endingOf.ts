/** The ending of a file's name, or the whole name where it has none: both may say a language. */
export function endingOf(path: string): string {
  return /([^./\\]+)$/.exec(path)?.[1] ?? '';
}
