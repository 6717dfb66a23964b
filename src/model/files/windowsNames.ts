import path from 'node:path';
import { isPlainName } from '../../util/plainName';

// Windows has many spellings for one file, and some names that mean something else than a file. A
// path is only used if each of its names stands for itself.

/** Whether all names in an absolute path stand for themselves. */
export function hasPlainNames(file: string): boolean {
  const normal = path.win32.normalize(file);
  const names = normal.slice(path.win32.parse(normal).root.length).split('\\');
  return names.every((name) => name === '' || isPlainName(name));
}

/**
 * Whether the names of a folder are the first ones of a file. File systems compare letters one by one;
 * some equal each other only in lower case, such as `k` and the Kelvin sign, or only in upper case.
 */
export function beginsWithNames(file: string, folder: string): boolean {
  const names = getNames(file);
  return getNames(folder).every((name, at) => isSameName(name, names[at] ?? ''));
}

function getNames(file: string): readonly string[] {
  return path.win32
    .resolve(file)
    .split('\\')
    .filter((name) => name !== '');
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() && one.toUpperCase() === other.toUpperCase();
}
