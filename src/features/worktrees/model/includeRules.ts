import path from 'node:path';
import {
  IgnoreRules,
  maxIgnoreComparisons,
  maxIgnoreFileBytes,
} from '../../../model/files/ignoreRules';
import { readRegularFile } from '../../../model/files/regularFile';
import type { Work } from '../../../model/text/wildcards';
import { AcpError } from '../../../protocol/errors';

/** The file of a repository that says, like a `.gitignore`, which ignored files belong in its worktrees. */
const includeFile = '.worktreeinclude';

const maxGlobs = 200;
/** Patterns that the braces of one glob can stand for. */
const maxAlternatives = 100;

/** Which ignored files come along into a new worktree. */
export class IncludeRules {
  /** Patterns that are too long or too many, and a file of them that can't be used: they count for nothing. */
  readonly leftOut: readonly string[];
  readonly #rules: readonly IgnoreRules[];
  readonly #work: Work = { left: maxIgnoreComparisons };
  readonly #folders = new Map<string, boolean>();

  private constructor(rules: readonly IgnoreRules[], leftOut: readonly string[]) {
    this.#rules = rules;
    this.leftOut = leftOut;
  }

  /**
   * Reads the file in this folder, and VS Code's globs, each from that folder. `undefined`: nothing is to come along.
   * Never rejects.
   */
  static async read(top: string, globs: readonly string[]): Promise<IncludeRules | undefined> {
    const leftOut: string[] = globs.slice(maxGlobs);
    const lines = globs.slice(0, maxGlobs).flatMap((glob) => {
      const all = alternatives(glob);
      leftOut.push(...(all === undefined ? [glob] : []));
      return all?.map(fromTop) ?? [];
    });
    const text = await readFile(path.join(top, includeFile));
    leftOut.push(...(text === undefined ? [includeFile] : []));
    const rules = [lines.join('\n'), text ?? ''].map((each) => new IgnoreRules(each));
    const unread = rules.reduce((sum, each) => sum + each.leftOut, 0);
    leftOut.push(...Array.from({ length: unread }, () => '…'));
    return lines.length === 0 && text === '' && leftOut.length === 0
      ? undefined
      : new IncludeRules(rules, leftOut);
  }

  /** Whether no comparisons are left, so that nothing more matches. */
  get isSpent(): boolean {
    return this.#work.left <= 0;
  }

  /** `name`: relative to the folder, with `/`. A folder that matches comes along as a whole. */
  has(name: string): boolean {
    return this.#hasFolder(path.posix.dirname(name)) || this.#matches(name, false);
  }

  #hasFolder(folder: string): boolean {
    if (folder === '.') {
      return false;
    }
    const known = this.#folders.get(folder);
    if (known !== undefined) {
      return known;
    }
    const has = this.#hasFolder(path.posix.dirname(folder)) || this.#matches(folder, true);
    this.#folders.set(folder, has);
    return has;
  }

  #matches(name: string, isFolder: boolean): boolean {
    return this.#rules.some((rules) => rules.test(name, isFolder, this.#work) === 'ignored');
  }
}

/** Empty if there is none; `undefined` if it is a link, or too long. */
async function readFile(file: string): Promise<string | undefined> {
  try {
    const bytes = await readRegularFile(file, { maxBytes: maxIgnoreFileBytes, follows: false });
    return bytes.toString('utf8');
  } catch (error) {
    return error instanceof AcpError && error.code === 'gone' ? '' : undefined;
  }
}

/** VS Code's globs are relative to the folder, also those without a `/`. */
function fromTop(glob: string): string {
  return `/${glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')}`;
}

/** What the braces of a glob stand for; `undefined`: too much, or more than one line. */
function alternatives(glob: string): readonly string[] | undefined {
  if (/[\r\n]/.test(glob)) {
    return undefined;
  }
  let open = [glob];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > maxAlternatives) {
      return undefined;
    }
    const next: string[] = [];
    for (const each of open) {
      // The innermost first.
      const [whole, list] = /\{([^{}]*)\}/.exec(each) ?? [];
      if (whole === undefined || list === undefined) {
        done.push(each);
      } else {
        next.push(...list.split(',').map((part) => each.replace(whole, () => part)));
      }
    }
    open = next;
  }
  return done;
}
