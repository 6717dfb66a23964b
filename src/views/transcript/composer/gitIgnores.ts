import { IgnoreRules, maxIgnoreComparisons } from '../../../model/files/ignoreRules';
import type { Work } from '../../../model/text/wildcards';

interface FolderRules {
  readonly isIgnored: boolean;
  /** The rules of this folder and of the folders that contain it, the nearest first. */
  readonly rules: readonly { readonly start: number; readonly rules: IgnoreRules }[];
}

/** The rules in the `.gitignore` files of a folder. Paths are relative to it, with `/`. */
export class GitIgnores {
  /** The number of rules that are too long or too many, over all files. */
  readonly leftOut: number;
  /** The rules by the folder of the file; the top is the empty string. */
  readonly #rules: ReadonlyMap<string, IgnoreRules>;
  readonly #folders = new Map<string, FolderRules>();
  readonly #work: Work;

  /** `texts`: the contents of the files, each by its folder. */
  constructor(texts: ReadonlyMap<string, string>, work: Work = { left: maxIgnoreComparisons }) {
    this.#rules = new Map([...texts].map(([folder, text]) => [folder, new IgnoreRules(text)]));
    this.leftOut = [...this.#rules.values()].reduce((sum, { leftOut }) => sum + leftOut, 0);
    this.#work = work;
  }

  /** The number of comparisons left; at 0, nothing is ignored any more. */
  get workLeft(): number {
    return this.#work.left;
  }

  ignores(file: string): boolean {
    const folder = this.#folder(getParent(file));
    return folder.isIgnored || this.#decide(file, false, folder);
  }

  #folder(folder: string): FolderRules {
    let known = this.#folders.get(folder);
    if (known === undefined) {
      const parent = folder === '' ? undefined : this.#folder(getParent(folder));
      const own = this.#rules.get(folder);
      const start = folder === '' ? 0 : folder.length + 1;
      const above = parent?.rules ?? [];
      known = {
        isIgnored: parent !== undefined && (parent.isIgnored || this.#decide(folder, true, parent)),
        rules: own === undefined ? above : [{ start, rules: own }, ...above],
      };
      this.#folders.set(folder, known);
    }
    return known;
  }

  /** The nearest file with a rule for the path decides. */
  #decide(path: string, isFolder: boolean, { rules: all }: FolderRules): boolean {
    for (const { start, rules } of all) {
      const found = rules.test(path.slice(start), isFolder, this.#work);
      if (found !== undefined) {
        return found === 'ignored';
      }
    }
    return false;
  }
}

/** The parent of a relative path; the empty string at the top. */
export function getParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
