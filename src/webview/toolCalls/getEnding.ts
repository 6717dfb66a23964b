/** The file name's extension, or the whole name if it has none: both can identify a language. */
export function getEnding(path: string): string {
  return /([^./\\]+)$/.exec(path)?.[1] ?? '';
}
