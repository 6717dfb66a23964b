import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { isInside } from '../../../model/files/roots';
import type { DrawnText } from '../../../shared/transcript/drawn';

/** The beginning of a text, with the number of characters left out. */
export function cut(text: string, length: number): DrawnText {
  if (text.length <= length) {
    return { text, omitted: 0 };
  }
  // Not within a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return { text: text.slice(0, end), omitted: text.length - end };
}

/** The end of an output, from the start of a line if possible, so as not to cut a color sequence. */
export function cutStart(text: string, length: number): DrawnText {
  if (text.length <= length) {
    return { text, omitted: 0 };
  }
  const least = text.length - length;
  const lineEnd = text.indexOf('\n', least);
  const start = lineEnd === -1 || lineEnd === text.length - 1 ? least : lineEnd + 1;
  return { text: text.slice(start), omitted: start };
}

/** A text cut to `length` characters, followed by the number of those missing. */
export function bounded(text: string, length: number): string {
  const { text: start, omitted } = cut(text, length);
  return omitted === 0 ? text : l10n.t('{0}… ({1} more characters)', start, omitted);
}

/** Relative to `cwd` if the file is inside; otherwise unchanged. */
export function shortPath(file: string, cwd: string): string {
  if (!path.isAbsolute(file) || !isInside(file, [cwd])) {
    return file;
  }
  return path.relative(cwd, file) || file;
}
