import {
  matchesName,
  matchesWhole,
  type NamePattern,
  readNamePattern,
  type Work,
} from '../text/wildcards';

interface Rule {
  /**
   * Names relative to the rules' folder; `undefined`: any number of folders. If `isAnywhere`, only
   * the last name.
   */
  readonly names: readonly (NamePattern | undefined)[];
  readonly isAnywhere: boolean;
  readonly isForFolders: boolean;
  readonly brings: 'ignored' | 'unignored';
}

/** Maximum size of a `.gitignore` in bytes; a longer one is not applied. */
export const maxIgnoreFileBytes = 100_000;
const maxRules = 2_000;
const maxRuleLength = 500;

/** Comparisons for all files of one listing: about a second. */
export const maxIgnoreComparisons = 300_000_000;

/**
 * The rules of one `.gitignore`, read like Git but case-insensitively. Anyone may have written the
 * file: a test takes at most one comparison per character of a rule and character of the path, and
 * when `work` is spent, nothing is ignored any more. The package `ignore`, which decides the same,
 * makes regular expressions of rules, and one of 51 characters takes it more than ten seconds.
 */
export class IgnoreRules {
  /** Number of rules that are not applied because they are too long or too many. */
  readonly leftOut: number;
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => !/^(?:#|\s*$)/.test(line));
    const kept = lines.filter((line) => line.length <= maxRuleLength).slice(0, maxRules);
    this.leftOut = lines.length - kept.length;
    this.#rules = kept.flatMap((line) => readRule(line) ?? []).reverse();
  }

  /** The result of the last matching rule; `path` is relative to the rules' folder, with `/`. */
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
      // Everything inside the folder, but not the folder itself.
      names.push(readNamePattern('*'));
    }
    if (name !== undefined || names.length === 0 || names.at(-1) !== undefined) {
      names.push(name);
    }
  }
  const isAnywhere = !path.includes('/');
  return { names, isAnywhere, isForFolders, brings: isNegated ? 'unignored' : 'ignored' };
}

/** Trailing spaces only count after a backslash. */
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
