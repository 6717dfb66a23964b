/**
 * Paths of another machine, as this one writes them: `/[build.example:8080]/srv/app`. They look like absolute paths, so
 * that they can be compared and shown like any other, and no file here has one. Nothing may resolve or open them.
 */

/** Marks a path of another machine. */
export function markElsewhere(host: string, path: string): string {
  return `/[${host}]${/^[A-Za-z]:/.test(path) ? '/' : ''}${path}`;
}

/** Whether a path, in whatever spelling, is one of another machine. */
export function isElsewhere(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]\[/.test(path);
}
