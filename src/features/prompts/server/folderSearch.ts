import path from 'node:path';
import { go, snapshot } from 'fuzzysort';
import { setNewest } from '../../../util/setNewest';
import { isSpelled } from '../../../util/spelled';
import { FolderListing, type ListedFile } from './folderListing';

/** A file or folder that can be mentioned. */
export interface FileMatch {
  /** Absolute path. */
  readonly path: string;
  readonly isFolder: boolean;
}

interface Scored extends FileMatch {
  readonly score: number;
}

/** How long a listing stays valid, in milliseconds. */
const fresh = 3_000;
/**
 * How long a query waits for the first listing, in milliseconds; after that it uses the entries
 * found so far.
 */
const patience = 50;
/** Maximum number of roots that are cached. */
const most = 20;

/** Searches folders for files, for clients that can't. */
export class FolderSearch {
  readonly #folders = new Map<string, SearchedFolder>();

  /** The best matches for `query` in all roots, and whether these are all there are. */
  async find(
    roots: readonly string[],
    query: string,
    limit: number,
  ): Promise<{ readonly matches: readonly FileMatch[]; readonly isWhole: boolean }> {
    const folders = roots.map((root) => this.#folder(root));
    await Promise.all(folders.map((folder) => folder.ready()));
    const found = folders.map((folder, index) => {
      // Only paths in roots other than the first start with the root's name.
      const prefix = index === 0 ? '' : `${path.basename(folder.root)}/`;
      const own = query.startsWith(prefix) ? query.slice(prefix.length) : query;
      return folder.find(own, limit);
    });
    const matches = found
      .flatMap((all) => all.matches)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
    return { matches, isWhole: found.every(({ isWhole }) => isWhole) };
  }

  /** Starts to read folders that are likely to be searched. */
  prepare(roots: readonly string[]): void {
    for (const root of roots) {
      void this.#folder(root).ready();
    }
  }

  /** Marks the listings as outdated; they are read again with the next query. */
  expire(): void {
    for (const folder of this.#folders.values()) {
      folder.expire();
    }
  }

  #folder(root: string): SearchedFolder {
    const known = this.#folders.get(root) ?? new SearchedFolder(root);
    setNewest(this.#folders, root, known, most);
    return known;
  }
}

class SearchedFolder {
  readonly root: string;
  readonly #listing: FolderListing;
  #files: readonly ListedFile[] = [];
  #readAt = -Infinity;
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor(root: string) {
    this.root = root;
    this.#listing = new FolderListing(root);
  }

  /** Resolves once the folder has been listed, or after `patience`. */
  async ready(): Promise<void> {
    if (performance.now() - this.#readAt > fresh) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }
    if (!this.#isRead) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      await Promise.race([this.#reading, late]);
      clearTimeout(timer);
    }
  }

  expire(): void {
    this.#readAt = -Infinity;
  }

  find(query: string, limit: number): { matches: readonly Scored[]; isWhole: boolean } {
    return {
      matches: rank(this.#files, query, limit).map(({ file, score }) => ({
        path: path.join(this.root, file.path),
        isFolder: file.isFolder,
        score,
      })),
      isWhole: this.#isRead && this.#files.length <= limit,
    };
  }

  async #read(): Promise<void> {
    // Set before reading, because changes made during the read may be missed.
    this.#readAt = performance.now();
    this.#files = await this.#listing.read((soFar) => {
      if (!this.#isRead) {
        this.#files = soFar;
      }
    });
    this.#isRead = true;
  }
}

interface Ranked {
  readonly file: ListedFile;
  readonly score: number;
}

const leastScore = 0.1;
/**
 * Number of files scored in detail: the likeliest ones, since scoring all would cost too much time
 * and memory.
 */
const maxCandidates = 200;

/** The best matches for `query`, or the first files if it is empty. */
function rank(files: readonly ListedFile[], query: string, limit: number): readonly Ranked[] {
  if (query === '') {
    return files.slice(0, limit).map((file, index) => ({ file, score: -index }));
  }
  const found = go(query, snapshot(getCandidates(files, query), { key: 'path' }), {
    limit,
    threshold: leastScore,
  });
  return found.map(({ obj, score }) => ({ file: obj, score }));
}

/** Files with the query in their names first, then in their paths, then with its letters in order. */
function getCandidates(files: readonly ListedFile[], query: string): readonly ListedFile[] {
  const wanted = query.toLowerCase();
  const named: ListedFile[] = [];
  const placed: ListedFile[] = [];
  const spelled: ListedFile[] = [];
  for (const file of files) {
    const path = file.path.toLowerCase();
    const at = path.lastIndexOf(wanted);
    if (at !== -1) {
      const isNamed = path.indexOf('/', at) === -1;
      (isNamed ? named : placed).push(file);
      if (named.length === maxCandidates) {
        break;
      }
    } else if (spelled.length < maxCandidates && isSpelled(wanted, path)) {
      spelled.push(file);
    }
  }
  return [...named, ...placed, ...spelled].slice(0, maxCandidates);
}
