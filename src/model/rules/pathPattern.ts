import process from 'node:process';
import { matchesName, matchesWhole, readNamePattern, type Work } from '../text/wildcards';

/**
 * Patterns of paths for rules: `*` and `?` within a name, `**` for any number of folders. They are
 * relative to the folders of a session.
 */

/** Whether the whole of a relative path, with slashes, matches. */
export function matchesPath(
  pattern: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  const ofForm = (text: string): string => (platform === 'darwin' ? text.normalize() : text);
  const fold = (text: string): string => (ignoresCase ? ofForm(text).toLowerCase() : text);
  const parts = fold(pattern)
    .split('/')
    .map((name) => (name === '**' ? name : readNamePattern(name)));
  const names = path === '' ? [] : fold(path).split('/');
  // Patterns and paths are short, and matching takes at most a comparison per pair of characters.
  const work: Work = { left: Infinity };
  return matchesWhole(parts.length, names.length, {
    isAny: (at) => parts[at] === '**',
    matches: (at, place) => {
      const part = parts[at];
      const name = names[place];
      return part !== undefined && name !== undefined && matchesName(part, name, work);
    },
  });
}
