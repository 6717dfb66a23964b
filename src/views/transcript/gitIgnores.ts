import ignore, { type Ignore } from 'ignore';

/** What the `.gitignore` files of a folder say. Paths are relative to it, with `/`. */
export class GitIgnores {
  /** By the folder that they are in; the top is the empty text. */
  readonly #rules: ReadonlyMap<string, Ignore>;
  readonly #folders = new Map<string, boolean>([['', false]]);

  /** `texts`: what the files say, by the folder that each is in. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#rules = new Map([...texts].map(([folder, text]) => [folder, ignore().add(text)]));
  }

  ignores(file: string): boolean {
    return this.#ignoresFolder(parentOf(file)) || this.#decide(file, '');
  }

  #ignoresFolder(folder: string): boolean {
    let ignored = this.#folders.get(folder);
    if (ignored === undefined) {
      ignored = this.#ignoresFolder(parentOf(folder)) || this.#decide(folder, '/');
      this.#folders.set(folder, ignored);
    }
    return ignored;
  }

  /** The nearest file that has a word on it decides. */
  #decide(path: string, ending: '' | '/'): boolean {
    let folder = path;
    do {
      folder = parentOf(folder);
      const start = folder === '' ? 0 : folder.length + 1;
      const found = this.#rules.get(folder)?.test(path.slice(start) + ending);
      if (found?.ignored === true || found?.unignored === true) {
        return found.ignored;
      }
    } while (folder !== '');
    return false;
  }
}

/** The folder of a relative path; the empty text at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
