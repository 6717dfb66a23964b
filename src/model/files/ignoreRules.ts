import {
  matchesName,
  matchesWhole,
  type NamePattern,
  readNamePattern,
  type Work,
} from '../text/wildcards';

interface Rule {
  /** Names from the folder of the rules on; `undefined`: any number of folders. Of a rule for any folder the last name only. */
  readonly names: readonly (NamePattern | undefined)[];
  readonly isAnywhere: boolean;
  readonly isForFolders: boolean;
  readonly brings: 'ignored' | 'unignored';
}

/** Bytes of a `.gitignore`: a longer one says nothing. */
export const longestIgnoreFile = 100_000;
const mostRules = 2_000;
const longestRule = 500;

/** Comparisons for all files that are listed together: about a second. */
export const mostIgnoreWork = 300_000_000;

/**
 * What one `.gitignore` says, read as Git does, and with no regard to small and capital letters. Its author may be
 * anybody: a test costs at most one comparison for each character of a rule with each one of the path, and once
 * `work` is spent, nothing is ignored any more.
 */
export class IgnoreRules {
  /** Rules that are too long or too many; they count for nothing. */
  readonly leftOut: number;
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => !/^(?:#|\s*$)/.test(line));
    const kept = lines.filter((line) => line.length <= longestRule).slice(0, mostRules);
    this.leftOut = lines.length - kept.length;
    this.#rules = kept.flatMap((line) => readRule(line) ?? []).reverse();
  }

  /** What the last rule that matches does; `path` is relative to the folder of the rules, with `/`. */
  test(path: string, isFolder: boolean, work: Work): Rule['brings'] | undefined {
    const names = path.toLowerCase().split('/');
    const last = names.slice(-1);
    for (const rule of this.#rules) {
      if (work.left <= 0) {
        return undefined;
      }
      if (
        (isFolder || !rule.isForFolders) &&
        matchesPath(rule.names, rule.isAnywhere ? last : names, work)
      ) {
        return rule.brings;
      }
    }
    return undefined;
  }
}

function readRule(line: string): Rule | undefined {
  const text = line.replace(/\r$/, '').toLowerCase();
  const isNegated = text.startsWith('!');
  const pattern = withoutSpaces(isNegated ? text.slice(1) : text);
  const isForFolders = pattern.endsWith('/');
  const path = isForFolders ? pattern.slice(0, -1) : pattern;
  if (path === '') {
    return undefined;
  }
  const parts = path.replace(/^\//, '').split('/');
  const names: Rule['names'][number][] = [];
  for (const [index, part] of parts.entries()) {
    const name = part === '**' ? undefined : readNamePattern(part);
    if (name === undefined && part !== '**') {
      return undefined;
    }
    if (name === undefined && index === parts.length - 1) {
      // All that is in a folder, and not the folder itself.
      names.push(readNamePattern('*'));
    }
    if (name !== undefined || names.length === 0 || names.at(-1) !== undefined) {
      names.push(name);
    }
  }
  const isAnywhere = !path.includes('/');
  return { names, isAnywhere, isForFolders, brings: isNegated ? 'unignored' : 'ignored' };
}

/** Spaces at the end count only behind a backslash. */
function withoutSpaces(pattern: string): string {
  let end = pattern.length;
  while (pattern.charAt(end - 1) === ' ' && pattern.charAt(end - 2) !== '\\') {
    end--;
  }
  return pattern.slice(0, end);
}

function matchesPath(pattern: Rule['names'], names: readonly string[], work: Work): boolean {
  return matchesWhole(pattern.length, names.length, {
    isAny: (at) => pattern[at] === undefined,
    matches: (at, place) => {
      const name = pattern[at];
      return name !== undefined && matchesName(name, names[place] ?? '', work);
    },
  });
}
